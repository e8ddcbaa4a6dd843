package stackdump

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// dateLayouts are the layouts of dates in dump headers: of Android 12 and later, and of earlier
// releases and HotSpot. ART writes local time with its offset.
var dateLayouts = []string{"2006-01-02 15:04:05.999999999-0700", "2006-01-02 15:04:05.999999999", time.RFC3339Nano}

// ParseDate parses a date; it returns the zero Stamp if the text is not a date.
func ParseDate(s string) Stamp {
	for _, layout := range dateLayouts {
		if t, err := time.Parse(layout, s); err == nil {
			return Stamp{Date: t, WholeSeconds: !strings.Contains(s, ".")}
		}
	}
	return Stamp{}
}

// datedLine splits a date and time of day; its separators depend on the language of the program
// that wrote it. In a log, more text follows on the line.
var datedLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*(?:\pL+\.?,? )?(\d{1,4})(?:[./-]|年|\. ?| (?:de )?|\. de )(\d{1,2}|\pL{3,})(?:[./-]|月|\.? (?:de )?)(\d{1,4})日?(?:,| at| um| à)? ?(\d{1,2})[:.時](\d{2})[:.分](\d{2})(?:[.,](\d{1,9}))?(?: ?([AaPp])\.?[Mm])?`)
})

// englishDate is a date that begins with the month, as written by C's ctime and Java's Date.
var englishDate = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*(?:\pL{3} )?(\pL{3}) +(\d{1,2}),?(?: (\d{4}),?(?: at)?)? (\d{1,2}):(\d{2}):(\d{2})(?: ([AP])M)?(?:(?: [A-Z]{3,5}| GMT[+-]\d\d:\d\d)? (\d{4}))?`)
})

// months contains the beginnings of the names of months in several languages, from January on.
var months = [12][]string{
	{"jan", "janv", "ene", "gen", "янв"}, {"feb", "fév", "fev", "févr", "фев"}, {"mar", "mär", "mrt", "мар"}, {"apr", "avr", "abr", "апр"},
	{"may", "mai", "mag", "mei", "maj", "мая", "май"}, {"jun", "juin", "giu", "июн"}, {"jul", "juil", "lug", "июл"}, {"aug", "aoû", "ago", "авг"},
	{"sep", "set", "сен"}, {"oct", "okt", "ott", "out", "окт"}, {"nov", "ноя"}, {"dec", "dez", "déc", "dic", "дек"},
}

// monthOf returns the month with a number or name, or 0 if there is none.
func monthOf(s string) int {
	if n, err := strconv.Atoi(s); err == nil {
		return n
	}
	s = strings.ToLower(s)
	for i, names := range months {
		if slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(s, name) }) {
			return i + 1
		}
	}
	return 0
}

// ParseLocalDate parses the date before a dump in any of the usual forms. If day and month are both
// numbers before the year, the first is the day, unless that gives no valid date.
func ParseLocalDate(s string) Stamp {
	if stamp := ParseDate(s); !stamp.Date.IsZero() {
		return stamp
	}
	var day, month, year, clock, fraction, half string
	if m := datedLine().FindStringSubmatch(s); m != nil {
		year, month, day, clock, fraction, half = m[1], m[2], m[3], m[4]+":"+m[5]+":"+m[6], m[7], m[8]
		if len(day) > 2 {
			year, day = day, year
		}
	} else if m := englishDate().FindStringSubmatch(s); m != nil {
		month, day, year, clock, half = m[1], m[2], m[3]+m[8], m[4]+":"+m[5]+":"+m[6], m[7]
	}
	y, _ := strconv.Atoi(year)
	d, _ := strconv.Atoi(day)
	mon := monthOf(month)
	if mon > 12 && d <= 12 {
		mon, d = d, mon
	}
	at, err := time.Parse("2006-1-2 15:4:5", strconv.Itoa(y)+"-"+strconv.Itoa(mon)+"-"+strconv.Itoa(d)+" "+clock)
	if err != nil {
		return Stamp{}
	}
	switch hour := at.Hour(); {
	case strings.EqualFold(half, "p") && hour < 12:
		at = at.Add(12 * time.Hour)
	case strings.EqualFold(half, "a") && hour == 12:
		at = at.Add(-12 * time.Hour)
	}
	ns, _ := strconv.Atoi((fraction + "000000000")[:9])
	return Stamp{Date: at.Add(time.Duration(ns)), WholeSeconds: fraction == ""}
}
