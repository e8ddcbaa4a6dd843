package pprof

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/google/pprof/profile"

	"artifice/format/internal/stackdump"
)

// role is the property of a sample's thread or process that a label states. If a sample has two ids
// or names, the one with the lower role is used.
type role uint8

const (
	noRole role = iota
	threadID
	nativeID
	otherID
	threadName
	threadCommand
	processID
	processName
	roles
)

// roleOf are the roles of labels, by their keys in lower case with dots for spaces, hyphens and
// underlines. The libraries of Datadog write "thread id", "thread native id", "os thread id" and
// "thread name"; perf_data_converter pid, tid, comm and thread_comm; simpleperf pid, tid and
// thread; Parca and Pyroscope pid, thread_id and thread_name; Julia threadid; OpenTelemetry
// thread.id, thread.name, process.pid and process.executable.name.
var roleOf = map[string]role{
	"tid": threadID, "thread.native.id": nativeID, "os.thread.id": nativeID, "native.thread.id": nativeID, "thread.id": otherID, "threadid": otherID,
	"thread": threadName, "thread.name": threadName, "threadname": threadName, "thread.comm": threadCommand,
	"pid": processID, "process.id": processID, "process.pid": processID,
	"process": processName, "process.name": processName, "process.executable.name": processName, "comm": processName,
}

// keyForm replaces the separators of words in keys of labels.
var keyForm = strings.NewReplacer(" ", ".", "_", ".", "-", ".")

// owner has the properties of a sample's thread and process that its labels state.
type owner struct {
	text   [roles]string
	number [roles]int64
}

// ownerOf returns the owner of a sample. If several labels have one role, numbers precede texts,
// and the label with the alphabetically first key is used.
func (p *parser) ownerOf(s *profile.Sample) *owner {
	o, keys := &owner{}, [roles]string{}
	isFirst := func(r role, key string) bool {
		if r == noRole || keys[r] != "" && keys[r] < key {
			return false
		}
		keys[r] = key
		return true
	}
	for key, values := range s.Label {
		if len(values) > 0 && values[0] != "" && isFirst(p.role(key), key) {
			r := p.role(key)
			o.text[r] = values[0]
			o.number[r], _ = leadingNumber(values[0])
		}
	}
	clear(keys[:])
	for key, values := range s.NumLabel {
		if len(values) > 0 && isFirst(p.role(key), key) {
			o.number[p.role(key)] = values[0]
		}
	}
	return o
}

// role returns the role of the labels with a key.
func (p *parser) role(key string) role {
	r, ok := p.roles[key]
	if !ok {
		r = roleOfKey(key)
		p.roles[key] = r
	}
	return r
}

// roleOfKey returns the role of the labels with a key.
func roleOfKey(key string) role { return roleOf[keyForm.Replace(strings.ToLower(key))] }

// LabelKeys returns the keys of the labels of a profile's samples, sorted.
func LabelKeys(p *profile.Profile) []string {
	keys := map[string]bool{}
	for _, s := range p.Sample {
		for key := range s.Label {
			keys[key] = true
		}
		for key := range s.NumLabel {
			keys[key] = true
		}
	}
	return slices.Sorted(maps.Keys(keys))
}

// leadingNumber returns the decimal number with which an id begins: Datadog's for Ruby are "42
// (1701)", its others for .NET "<5> [#42]".
func leadingNumber(id string) (int64, bool) {
	id = strings.TrimPrefix(id, "<")
	end := strings.IndexFunc(id, func(r rune) bool { return r < '0' || r > '9' })
	if end < 0 {
		end = len(id)
	}
	n, err := strconv.ParseInt(id[:end], 10, 64)
	return n, err == nil
}

// nameThread sets the process of d and its thread t from a sample's labels. A sample without such
// labels belongs to the thread main.
func (p *parser) nameThread(d *stackdump.Dump, t *stackdump.Thread, s *profile.Sample) {
	o := p.ownerOf(s)
	d.PID, d.Process = int(int32(o.number[processID])), p.name(o.text[processName])
	name := cmp.Or(o.text[threadName], o.text[threadCommand])
	for _, r := range []role{threadID, nativeID, otherID} {
		t.ID.TID = cmp.Or(t.ID.TID, o.number[r])
		if o.number[r] == 0 {
			name = cmp.Or(name, o.text[r])
		}
	}
	switch t.Name = p.name(name); {
	case name == "" && t.ID.TID == 0:
		t.Name, t.ID.TID = "main", 1
	case name == "" && t.ID.TID == int64(d.PID):
		t.Name = "main"
	case t.ID.TID == 0:
		t.ID.Name = t.Name
	}
}

// name returns the name of a thread or process for a recording.
func (p *parser) name(text string) string {
	if text == "" {
		return ""
	}
	return p.Text([]byte(foldable.Replace(text)))
}
