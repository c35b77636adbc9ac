"use strict";
// Keys, and words that are selected. Without it everything can be done by clicks but marking words.
(() => {
  const at = (id) => document.getElementById(id);
  const form = at("rate");
  const words = at("words");
  let isSent = false;
  let chosen = null;

  // A key that is struck twice, or before the next page is there, counts once.
  document.addEventListener("submit", (event) => {
    if (event.target.method === "dialog") return;
    if (isSent) event.preventDefault();
    isSent = true;
  });
  addEventListener("pageshow", () => { isSent = false; });

  const help = at("help");
  at("show-help").hidden = false;
  at("show-help").addEventListener("click", () => help.showModal());

  // Characters, not the units of UTF-16 of which an emoji has two.
  const count = (range) => [...range.toString()].length;
  const selected = () => {
    const selection = getSelection();
    if (!selection.rangeCount || selection.isCollapsed) return null;
    const range = selection.getRangeAt(0);
    if (!words.contains(range.startContainer) || !words.contains(range.endContainer)) return null;
    const before = document.createRange();
    before.setStart(words, 0);
    before.setEnd(range.startContainer, range.startOffset);
    const start = count(before);
    return `${start}-${start + count(range)}`;
  };

  if (form) {
    document.addEventListener("selectionchange", () => {
      const found = selected();
      if (found) chosen = found;
      else if (getSelection().isCollapsed && document.activeElement === words) chosen = null;
    });
    at("mark-button").addEventListener("click", (event) => {
      const found = selected() ?? chosen;  // a click may have taken the selection away
      if (found) {
        at("mark").value = found;
        return;
      }
      event.preventDefault();
      at("nothing").textContent = at("nothing").dataset.message;
      words.focus();
    });
    words.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      const selection = getSelection();
      const isForward = event.key === "ArrowRight";
      if (!words.contains(selection.anchorNode)) selection.collapse(words, 0);
      if (!event.shiftKey && isForward) selection.collapseToEnd();
      if (!event.shiftKey && !isForward) {
        selection.collapseToStart();
        selection.modify("move", "backward", "word");
      }
      selection.modify("extend", isForward || !event.shiftKey ? "forward" : "backward", "word");
      if (!words.contains(selection.focusNode)) selection.selectAllChildren(words);
    });
    // Arrow keys change a list at every step: by keys it is Enter that stores.
    let isByKey = false;
    at("kind").addEventListener("pointerdown", () => { isByKey = false; });
    at("kind").addEventListener("keydown", (event) => {
      isByKey = true;
      if (event.key !== "Enter") return;
      event.preventDefault();
      form.requestSubmit(at("save"));
    });
    at("kind").addEventListener("change", () => { if (!isByKey) form.requestSubmit(at("save")); });

    // A note that is not stored yet, and the place on the page, outlast a reload.
    const note = at("note");
    const draft = `note ${form.action} ${form.version.value}`;
    const place = `place ${location.pathname}`;
    note.value = sessionStorage.getItem(draft) ?? note.value;
    note.addEventListener("input", () => sessionStorage.setItem(draft, note.value));
    scrollTo(0, Number(sessionStorage.getItem(place)) || 0);
    addEventListener("pagehide", () => sessionStorage.setItem(place, String(scrollY)));
  }

  const cards = [...document.querySelectorAll(".suggestion")].filter((one) => one.checkVisibility());
  const step = (by) => {
    const now = cards.indexOf(document.activeElement.closest(".suggestion"));
    const next = cards[Math.min(cards.length - 1, Math.max(0, now + by))];
    if (next) next.focus();
  };
  const decide = (status) => {
    const card = document.activeElement.closest(".suggestion") ?? cards[0];
    card?.querySelector(`button[value="${status}"]`)?.click();
  };
  const onAnswers = {
    u: () => at("mark-button").click(),
    w: () => words.focus(),
    n: () => at("next").click(),
    p: () => at("previous")?.click(),
    t: () => at("kind").focus(),
    o: () => at("note").focus(),
    s: () => at("to-suggestions").click(),
  };
  const onSuggestions = {
    n: () => step(1),
    p: () => step(-1),
    a: () => decide("accepted"),
    r: () => decide("rejected"),
    s: () => at("to-answers").click(),
  };
  const elsewhere = { s: () => at("to-suggestions").click() };
  const keys = form ? onAnswers : cards.length || document.body.classList.contains("suggestions")
    ? onSuggestions : elsewhere;

  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.closest("input, textarea, select");
    if (event.key === "Enter" && event.ctrlKey && event.target === at("note")) {
      form.requestSubmit(at("save"));
    } else if (event.key === "Escape" && isTyping) {
      isTyping.blur();
    }
    if (isTyping || help.open || event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
    let act = keys[event.key.toLowerCase()];
    if (event.key === "?") act = () => help.showModal();
    if (form && /^[1-5]$/.test(event.key)) {
      act = () => form.requestSubmit(form.querySelector(`button[value="${event.key}"].rating`));
    }
    if (!act) return;
    event.preventDefault();
    act();
  });
})();
