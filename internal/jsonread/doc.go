// Package jsonread reads JSON. [Scanner] reads values that are in memory, quickly and without
// allocations; [Keys] makes it fast for many similar objects.
package jsonread
