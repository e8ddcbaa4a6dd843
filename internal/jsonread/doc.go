// Package jsonread reads JSON. [Scanner] reads values that are in memory, quickly and without
// allocations; [Keys] makes it fast for many similar objects. [Document] reads a stream and knows the
// line and offset of what it reads. Both leave to encoding/json the values that are written in an
// unusual way.
package jsonread
