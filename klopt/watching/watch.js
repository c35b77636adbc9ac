"use strict";
// Puts the newest page in the place of this one, unless somebody is at work in it.
(() => {
  const LOOK_EVERY_MS = 2000;
  let isByItself = true;
  const element = (id) => document.getElementById(id);
  const report = document.scripts[0].textContent;
  const id = (card) => card.querySelector(".id").textContent;
  const open = () => [...document.querySelectorAll(".card[open]")].map(id);
  const isBusy = () => {
    const at = document.activeElement;
    return Boolean(at?.closest("main") && !at.closest("#live")) || !getSelection().isCollapsed;
  };

  async function refresh() {
    const text = await (await fetch(location.href)).text();
    const next = new DOMParser().parseFromString(text, "text/html").querySelector("main");
    const opened = open();
    const wasShown = document.querySelectorAll(".card").length > 0;
    const filter = [...element("filter").elements].map((field) => [field.name, field.value]);
    const focused = document.activeElement?.closest("#live") && document.activeElement.id;
    const at = scrollY;
    document.querySelector("main").replaceWith(next);
    for (const [name, value] of filter) {
      const field = element("filter").elements[name];
      if (field && name && name !== "count") field.value = value;
    }
    if (wasShown) {
      for (const card of document.querySelectorAll(".card")) card.open = opened.includes(id(card));
    }
    // The report's own script, which its policy knows, once more for the answers that are new.
    const again = document.createElement("script");
    again.textContent = report;
    document.body.append(again);
    again.remove();
    listen();
    if (focused) (element(focused).hidden ? element("by-itself") : element(focused)).focus();
    scrollTo(0, at);
  }

  async function look() {
    try {
      const { version } = await (await fetch("state")).json();
      element("unreached").hidden = true;
      if (version === element("live").dataset.version) return;
      if (isByItself && !isBusy()) await refresh();
      else element("now").hidden = false;
    } catch {
      element("unreached").hidden = false;
    }
  }

  function listen() {
    const button = element("by-itself");
    const tell = () => {
      button.setAttribute("aria-pressed", String(isByItself));
      button.firstElementChild.hidden = !isByItself;
    };
    button.addEventListener("click", () => {
      isByItself = !isByItself;
      tell();
    });
    element("now").addEventListener("click", refresh);
    tell();
  }

  listen();
  const again = () => look().finally(() => setTimeout(again, LOOK_EVERY_MS));
  setTimeout(again, LOOK_EVERY_MS);
})();
