// Package job is the work on a fleet as pipelines of Apache Beam: what runs on the
// workers, and how a job is submitted and its results come back.
//
// A job has a folder that its workers and whoever submits it can reach. The files to
// read are dealt into streams, one for each worker, whose lists stand in that folder.
// Each file is read by the library, by one worker at a time, just as artifice reads
// it, and comes to a result or is unread, with why; a file that cannot be read never fails
// the pipeline, and [Outcome] has every file of the list once. What is added up over files is added up on the workers first.
// Results are written to the folder as records, and read from there in the order of
// the list, so that neither the number of workers nor the order of their work shows.
//
// Beam may run any of it twice and keeps one outcome. Nothing here has an effect but
// its output. Where a runner does not repeat what a lost worker was doing, as Beam's
// Prism does not, [Run] submits the whole job again.
package job
