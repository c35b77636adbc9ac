"use strict";
// Filters the answers, some at a time; without it they all stand there.
(() => {
  const STEP = 50;
  const form = document.getElementById("filter");
  const more = document.getElementById("more");
  const cards = [...document.querySelectorAll("#cards > .card")];
  if (!cards.length) return;
  const { words, verdict, kind, count } = form.elements;
  const texts = [];
  let most = STEP;

  const plain = (text) => text.toLowerCase().replace(/\s+/g, " ");
  const holds = (place, wanted) => {
    texts[place] ??= plain(cards[place].textContent);
    return wanted.every((word) => texts[place].includes(word));
  };

  function show() {
    const wanted = plain(words.value).split(" ").filter(Boolean);
    let found = 0;
    cards.forEach((card, place) => {
      const fits =
        (!verdict.value || card.dataset.verdict === verdict.value) &&
        (kind.value === "*" || card.dataset.kind === kind.value) &&
        holds(place, wanted);
      found += fits;
      card.hidden = !fits || found > most;
    });
    more.hidden = found <= most;
    const number = (value) => value.toLocaleString(document.documentElement.lang);
    count.value = found
      ? form.dataset.shown
          .replace("{shown}", number(Math.min(found, most)))
          .replace("{found}", number(found))
      : form.dataset.nothing;
  }

  function anew() {
    most = STEP;
    show();
  }

  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", anew);
  form.addEventListener("reset", () => setTimeout(anew));
  more.addEventListener("click", () => {
    const next = most;
    most += STEP;
    show();
    cards.filter((card) => !card.hidden)[next]?.querySelector("summary").focus();
  });
  // A page, a name or an answer in a table leads to the answers about it.
  for (const find of document.querySelectorAll(".find")) {
    const button = document.createElement("button");
    button.textContent = find.textContent;
    button.title = form.dataset.find.replace("{what}", find.textContent);
    button.addEventListener("click", () => {
      form.reset();
      words.value = find.dataset.words;
      anew();
      const [only, another] = cards.filter((card) => !card.hidden);
      if (only && !another) only.open = true;
      document.getElementById("answers").scrollIntoView();
      words.focus({ preventScroll: true });
    });
    find.replaceChildren(button);
  }
  form.hidden = false;
  show();
})();
