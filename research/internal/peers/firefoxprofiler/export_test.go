package firefoxprofiler

// Function is a function's share of a thread.
type Function struct {
	Name  string  `json:"name"`
	Self  float64 `json:"selfPercentage"`  // of the thread's samples with a stack
	Total float64 `json:"totalPercentage"` // the same
}

// Functions returns the functions of a thread of the loaded file.
func (c *Client) Functions(t Thread) (list []Function, err error) {
	return list, c.server.Ask(map[string]string{"functions": t.Handle}, &list)
}

// Save writes the loaded file as the Firefox Profiler saves it, in the newest version of its
// format.
func (c *Client) Save(file string) error {
	var done bool
	return c.server.Ask(map[string]string{"save": file}, &done)
}
