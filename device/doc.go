// Package device holds timing presets: what the tracers cost on a device, as
// [Device] values with a name and the origin of each number.
//
// Built-in ones ([All], [ByName]) come from traces that were really recorded;
// others can be read from YAML ([ReadYAML]). What the costs mean is said where
// they are spent, in packages sampler and instrument; package calibrate
// estimates a device from a trace.
package device
