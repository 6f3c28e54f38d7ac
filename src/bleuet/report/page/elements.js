// Elements of the page.

/** Return an element with properties and children; children that are strings become text. */
function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}
