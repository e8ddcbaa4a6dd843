// Package inpage connects a program in a Web Worker with its page. The worker's script,
// view/page/worker.js, passes the page's requests to two functions of the global object:
// artificeAsk(request, answer(error, JSON, bytes)) and artificeStop(). In the opposite direction
// the program calls artificeProgress(step, done, total) and artificeReady().
package inpage
