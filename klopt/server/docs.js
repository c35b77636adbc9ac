"use strict";

// The interface as openapi.json describes it, with a form to try each call. Texts are set as text alone.
const element = (id) => document.getElementById(id);

function made(tag, text, attributes = {}) {
  const shown = Object.assign(document.createElement(tag), attributes);
  shown.textContent = text;
  return shown;
}

// What a "$ref" stands for.
function at(api, reference) {
  return reference.slice(2).split("/").reduce((inner, name) => inner[name], api);
}

function resolved(api, value) {
  return value?.$ref ? at(api, value.$ref) : value;
}

function kind(schema) {
  if (schema.$ref) return schema.$ref.split("/").at(-1);
  if (schema.anyOf) return schema.anyOf.map(kind).join(" or ");
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(", ");
  if (schema.type === "array" && schema.items) return `list of ${kind(schema.items)}`;
  return [schema.type ?? "any"].flat().join(" or ");
}

function example(api, body) {
  const examples = Object.entries(body.examples ?? {});
  const [, own] = examples.find(([name]) => navigator.language.startsWith(name)) ?? examples.at(-1) ?? [];
  const value = own ? resolved(api, own).value : body.example ?? {};
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

function field(form, name, text, tag) {
  const input = made(tag, "", { name, id: `${form.dataset.name}-${name}`, spellcheck: false });
  input.value = text;
  if (tag === "textarea") input.rows = Math.min(14, text.split("\n").length + 3);
  form.querySelector(".fields").append(made("label", name, { htmlFor: input.id }), input);
}

async function send(form, method, path, type) {
  const shown = form.querySelector("pre");
  const headers = type ? { "content-type": type } : {};
  if (element("token").value) headers.authorization = `Bearer ${element("token").value}`;
  const fields = new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
  const body = type ? form.elements.body.value : undefined;
  const address = type || !fields.size ? path.slice(1) : `${path.slice(1)}?${fields}`;
  form.querySelector("button").disabled = true;
  try {
    const answer = await fetch(address, { method, headers, body });
    const text = await answer.text();
    const isJson = answer.headers.get("content-type") === "application/json";
    shown.textContent = `${answer.status}\n${isJson ? JSON.stringify(JSON.parse(text), null, 1) : text}`;
  } catch (error) {
    shown.textContent = element("unreached").textContent;
  } finally {
    shown.hidden = false;
    form.querySelector("button").disabled = false;
  }
}

function call(api, path, method, described) {
  const shown = element("call").content.firstElementChild.cloneNode(true);
  shown.querySelector("summary code").textContent = `${method.toUpperCase()} ${path}`;
  shown.querySelector("summary span").textContent = described.summary;
  shown.querySelector("p").textContent = described.description ?? "";
  const form = shown.querySelector("form");
  form.dataset.name = described.operationId;
  const [[type, body]] = Object.entries(described.requestBody?.content ?? { "": null });
  if (body) field(form, "body", example(api, body), "textarea");
  for (const parameter of described.parameters ?? []) field(form, parameter.name, "", "input");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form, method.toUpperCase(), path, type);
  });
  for (const [status, given] of Object.entries(described.responses)) {
    const answer = resolved(api, given);
    const kinds = Object.entries(answer.content ?? {}).map(([name, { schema }]) => `${kind(schema)} (${name})`);
    const label = status === "default" ? "else" : status;
    shown.querySelector("dl").append(made("dt", label), made("dd", `${answer.description} ${kinds.join(", ")}`));
  }
  return shown;
}

function record(name, schema) {
  const shown = made("details", "");
  const rows = Object.entries(schema.properties ?? {}).map(([field, inner]) => {
    const row = made("tr", "");
    const isNeeded = (schema.required ?? []).includes(field);
    row.append(made("th", field, { scope: "row" }), made("td", `${kind(inner)}${isNeeded ? "" : ", may be left out"}`),
      made("td", inner.description ?? ""));
    return row;
  });
  const table = made("table", "");
  table.append(...rows);
  shown.append(made("summary", name), made("p", schema.description ?? ""), table);
  return shown;
}

async function show() {
  try {
    const api = await (await fetch("openapi.json")).json();
    element("summary").textContent = api.info.summary;
    element("description").textContent = api.info.description.replaceAll("`", "");
    element("calls").append(...Object.entries(api.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, described]) => call(api, path, method, described))));
    element("records").append(...Object.entries(api.components.schemas).map(([name, schema]) => record(name, schema)));
    element("calls").querySelector("details").open = true;
  } catch (error) {
    element("unreached").hidden = false;
  }
}

show();
