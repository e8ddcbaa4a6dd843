// Package inpage connects a program in a Web Worker with its page: the worker's script,
// view/page/worker.js, hands the page's requests on to two functions of the global object,
// artificeAsk(request, answer(error, JSON, bytes)) and artificeStop(), and, the other
// way, artificeTold(step, done, total) and artificeReady().
package inpage
