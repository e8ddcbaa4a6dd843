// Package job implements the work on a fleet as pipelines of Apache Beam: the functions that run
// on workers, and the submission of jobs and retrieval of results.
//
// A job has a folder that its workers and the submitter can access. The input files are
// distributed to streams, one for each worker, with lists in that folder. The library reads each
// file on one worker at a time, exactly as artifice does. The file has a result or is unread with
// an error. An unreadable file never fails the pipeline, and [Outcome] lists every file once. Sums
// over files are first computed on the workers. Results are written to the folder as records, and
// read from there in the order of the list, so they depend neither on the number of workers nor on
// the order of work.
//
// Beam may run any function twice and keeps one outcome, so functions have no side effects. If a
// runner does not repeat the work of a lost worker, like Beam's Prism, [Run] submits the whole job
// again.
package job
