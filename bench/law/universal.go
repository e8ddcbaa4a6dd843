package law

import "math"

// Universal is the curve (1 − e^{−x})/x of reported over true calls of a calling
// context that is on and off the stack for exponentially distributed times with
// means On and Off. All such contexts lie on it, with x = T/τ, T the time the app
// runs between two samples and τ = On·Off/(On + Off) the time over which the
// context forgets its state.
//
// Source: the call-count law with the autocorrelation of a two-state Markov
// chain, which decays with τ.
//
// Example: On = Off = 2 ms has τ = 1 ms. At T = 1 ms x = 1: 63 % of the calls are
// reported.
func Universal(x float64) float64 {
	if x == 0 {
		return 1
	}
	return -math.Expm1(-x) / x
}
