// Package eventlog is where events wait: packed in memory, and beyond a bound in
// a temporary file.
package eventlog
