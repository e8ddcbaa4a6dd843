function freeze() { // keeps the key columns visible when the table scrolls
  document.querySelectorAll("table").forEach(function (table) {
    var left = 0;
    Array.prototype.forEach.call(table.tHead.rows[0].cells, function (head, i) {
      if (!head.classList.contains("key")) return;
      Array.prototype.forEach.call(table.rows, function (row) { row.cells[i].style.left = left + "px" });
      left += head.getBoundingClientRect().width;
    });
  });
}
freeze();
addEventListener("resize", freeze);
document.querySelectorAll("thead button").forEach(function (button) {
  button.addEventListener("click", function () {
    var th = button.closest("th"), table = th.closest("table"), body = table.tBodies[0], i = th.cellIndex;
    var text = th.classList.contains("text"), up = th.getAttribute("aria-sort") !== "ascending";
    table.querySelectorAll("th").forEach(function (o) { o.removeAttribute("aria-sort") });
    th.setAttribute("aria-sort", up ? "ascending" : "descending");
    var rows = Array.prototype.slice.call(body.rows);
    rows.sort(function (a, b) {
      var x = a.cells[i].dataset.sort, y = b.cells[i].dataset.sort;
      if (!text && (x === "" || y === "")) return (x === "") - (y === "");
      var d = text ? x.localeCompare(y) : x - y;
      return up ? d : -d;
    });
    rows.forEach(function (r) { body.appendChild(r) });
  });
});
document.querySelectorAll(".save").forEach(function (button) {
  button.addEventListener("click", function () {
    var link = document.createElement("a");
    link.setAttribute("href", URL.createObjectURL(new Blob([button.closest("details").querySelector("pre").textContent], { type: "text/csv" })));
    link.download = button.dataset.name;
    link.click();
  });
});
