// Package jsonread reads JSON. [Scanner] reads values in memory, quickly and without allocations;
// [Keys] makes it fast for many similar objects. [Document] reads a stream and provides the line
// and offset of its position. Both leave values in an unusual form to encoding/json.
package jsonread
