package report

import "artifice/trace"

// MethodName returns how reports call a method of the profile.
func (v *View) MethodName(id trace.MethodID) string { return v.names().Method(id) }

// MethodNames returns how reports call each method of the profile.
func (v *View) MethodNames() []string {
	all := make([]string, v.Profile.Len())
	for i := range all {
		all[i] = v.MethodName(v.Profile.MethodID(i))
	}
	return all
}
