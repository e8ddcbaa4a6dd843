package job

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"artifice/fleet/manifest"
)

func init() {
	beam.RegisterType(reflect.TypeFor[writeFn]())
}

// pack encodes a value as a record. It panics on errors, which are bugs of this program.
func pack(value any) []byte {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(value); err != nil {
		panic(fmt.Sprintf("job: %T: %v", value, err))
	}
	return b.Bytes()
}

// write writes records, paired with the names of their collections, to the folder: one file for
// each collection.
func write(s beam.Scope, folder string, records ...beam.PCollection) {
	s = s.Scope("write results")
	beam.ParDo0(s, &writeFn{folder}, beam.GroupByKey(s, beam.Flatten(s, records...)))
}

// writeFn writes the records of one collection.
type writeFn struct{ Folder string }

// ProcessElement overwrites an existing file, because it may run again.
func (f *writeFn) ProcessElement(ctx context.Context, collection string, record func(*[]byte) bool) (err error) {
	name := f.Folder + "/" + collection
	system, err := manifest.FileSystem(ctx, name)
	if err != nil {
		return err
	}
	defer system.Close()
	file, err := system.OpenWrite(ctx, name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	w := bufio.NewWriter(file)
	for b := []byte(nil); record(&b); {
		w.Write(binary.AppendUvarint(nil, uint64(len(b)))) // Flush returns the error
		w.Write(b)
	}
	return w.Flush()
}

// each calls f for every record of a collection, in no particular order. A collection without
// records has no file.
func each(ctx context.Context, folder, collection string, f func(record []byte) error) error {
	name := folder + "/" + collection
	system, err := manifest.FileSystem(ctx, name)
	if err != nil {
		return err
	}
	defer system.Close()
	if found, err := system.List(ctx, name); err != nil || len(found) == 0 {
		return err
	}
	file, err := system.OpenRead(ctx, name)
	if err != nil {
		return err
	}
	defer file.Close()
	in := bufio.NewReader(file)
	for {
		size, err := binary.ReadUvarint(in)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		var b bytes.Buffer
		if _, err := io.CopyN(&b, in, int64(size)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := f(b.Bytes()); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
}

// unpack returns the values of a collection, in no particular order.
func unpack[T any](ctx context.Context, folder, collection string) (values []T, err error) {
	err = each(ctx, folder, collection, func(record []byte) error {
		var v T
		if err := gob.NewDecoder(bytes.NewReader(record)).Decode(&v); err != nil {
			return err
		}
		values = append(values, v)
		return nil
	})
	return values, err
}
