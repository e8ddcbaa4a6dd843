package report

import "image/color"

// Palette is the colours of a plot.
type Palette int

const (
	Light Palette = iota // dark on white
	Dark                 // light on black
)

// colours are what a plot is drawn with.
type colours struct {
	ground, ink, faint color.Color
	series             []color.Color
}

// The series colours are Okabe and Ito's, which people with any kind of colour
// vision tell apart; the darkest ones are lightened on black.
var palettes = map[Palette]colours{
	Light: {
		ground: rgb(0xffffff), ink: rgb(0x222222), faint: rgb(0xdddddd),
		series: []color.Color{rgb(0x0072b2), rgb(0xd55e00), rgb(0x009e73), rgb(0xcc79a7), rgb(0xe69f00), rgb(0x56b4e9), rgb(0x000000), rgb(0x8a7a00), rgb(0x7d7d7d)},
	},
	Dark: {
		ground: rgb(0x16181c), ink: rgb(0xe6e6e6), faint: rgb(0x3a3d44),
		series: []color.Color{rgb(0x4ba3e3), rgb(0xff8a3d), rgb(0x2fc9a0), rgb(0xe39ac4), rgb(0xf0b93a), rgb(0x8ccff5), rgb(0xffffff), rgb(0xf0e442), rgb(0x9a9a9a)},
	},
}

func rgb(v uint32) color.Color {
	return color.RGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 0xff}
}

// at returns the i-th series' colour.
func (c *colours) at(i int) color.Color { return c.series[i%len(c.series)] }
