// SPDX-License-Identifier: MIT
// Elements, numbers and colours. Whatever comes from a capture becomes text, never markup.
'use strict';

/** An element with attributes, listeners ("onclick") and children; strings are text. */
function el(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (value === undefined || value === null || value === false) continue;
        if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
        else element.setAttribute(name, value === true ? '' : value);
    }
    element.append(...children.filter((child) => child !== null && child !== undefined));
    return element;
}

/** A table in a box that scrolls sideways; isNumber(i): column i is aligned to the right. */
function tableOf(heads, isNumber, rows) {
    const head = (text, i) => el('th', { scope: 'col', class: isNumber(i) ? 'n' : null }, text);
    return el(
        'div',
        { class: 'wide' },
        el('table', {}, el('thead', {}, el('tr', {}, ...heads.map(head))), el('tbody', {}, ...rows)),
    );
}

const grouped = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, ',');

function decimals(value, digits) {
    const [whole, rest] = value.toFixed(digits).split('.');
    return rest === undefined ? grouped(whole) : `${grouped(whole)}.${rest}`;
}

/** 17376 as "17.4 kB" with units ["B", "kB" ...]. */
function scaled(value, units) {
    let k = 0;
    while (k + 1 < units.length && Math.abs(value) >= 1000) {
        value /= 1000;
        k++;
    }
    const digits = k === 0 ? 0 : Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
    return `${decimals(value, digits)} ${units[k]}`;
}

/** A value of a graph for people; the units are those that the page's words name. */
const formats = {
    bytes: (v) => scaled(v, ['B', 'kB', 'MB', 'GB', 'TB']),
    bits: (v) => scaled(v, ['bit/s', 'kbit/s', 'Mbit/s', 'Gbit/s', 'Tbit/s']),
    ns: (v) => `${decimals(v / 1e6, v < 1e7 ? 3 : 1)} ms`,
};

/** The title of a cause as the beginning of a line. */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** "43.066 ms", "1.46 s" */
const duration = (ms) => (ms < 1000 ? `${decimals(ms, 3)} ms` : `${decimals(ms / 1000, 3)} s`);

/** Milliseconds into the capture as seconds with all that is known. */
const seconds = (ms) => decimals(ms / 1000, 6);

/** What a custom property is worth just now: light, dark, or on paper. */
const css = (name, element = document.documentElement) =>
    getComputedStyle(element).getPropertyValue(name).trim();
