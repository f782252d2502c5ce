"use strict";
(function () {
  const bar = document.getElementById("filters");
  const list = document.getElementById("cases");
  if (!bar || !list) return;
  const text = document.getElementById("filter-text");
  const variant = document.getElementById("filter-variant");
  const fault = document.getElementById("filter-fault");
  const count = document.getElementById("filter-count");
  const cases = Array.from(list.children, function (item) {
    return { item: item, words: item.textContent.toLowerCase(), faults: item.dataset.faults.split(" ") };
  });
  function filter() {
    const wanted = text.value.trim().toLowerCase();
    let shown = 0;
    for (const one of cases) {
      const fits = (variant.value === "any" || one.item.dataset.variant === variant.value)
        && (fault.value === "any" || one.faults.includes(fault.value))
        && (!wanted || one.words.includes(wanted));
      one.item.hidden = !fits;
      if (fits) shown += 1;
    }
    count.textContent = String(shown);
  }
  for (const control of [text, variant, fault]) control.addEventListener("input", filter);
  bar.hidden = false;
  filter();
})();
