// SPDX-License-Identifier: MIT
// The table of connections: sorted by its heads, filtered by text and by cause, moved through by keys.
'use strict';

class StreamTable {
    /** @param choose  called with the number of the stream whose row was chosen. */
    constructor(section, choose) {
        this.table = section.querySelector('table');
        this.body = this.table.tBodies[0];
        this.rows = [...this.body.rows];
        this.choose = choose;
        this.box = this.table.parentElement;
        this.box.classList.add('boxed');
        this.box.before(this.controls());
        this.heads();
        for (const row of this.rows) {
            row.tabIndex = -1;
            row.textForFilter = row.textContent.toLowerCase();
        }
        this.body.addEventListener('click', (event) => this.take(event.target.closest('tr')));
        this.body.addEventListener('keydown', (event) => this.key(event));
        this.filter();
    }

    controls() {
        const causes = new Map();
        for (const row of this.rows) causes.set(row.dataset.cause, (causes.get(row.dataset.cause) ?? 0) + 1);
        const options = [...causes].sort((a, b) => b[1] - a[1]);
        this.text = el('input', {
            type: 'search',
            placeholder: 'address, port, number …',
            'aria-label': 'Filter by text',
            oninput: () => this.filter(),
        });
        this.cause = el(
            'select',
            { 'aria-label': 'Filter by cause', onchange: () => this.filter() },
            el('option', { value: '' }, 'every cause'),
            ...options.map(([name, n]) =>
                el('option', { value: name }, `${name === 'none' ? 'none' : name} (${n})`),
            ),
        );
        this.count = el('output', { class: 'q' });
        return el('div', { class: 'controls' }, this.text, this.cause, this.count);
    }

    heads() {
        [...this.table.tHead.rows[0].cells].forEach((head, column) => {
            const button = el(
                'button',
                { type: 'button', onclick: () => this.sort(column) },
                head.textContent,
            );
            head.replaceChildren(button);
        });
    }

    /** Numbers begin with the largest, texts with A; again turns it around. */
    sort(column) {
        const heads = [...this.table.tHead.rows[0].cells];
        const value = (row) => row.cells[column].dataset.v ?? row.cells[column].textContent;
        const numeric = this.rows.every((row) => value(row) !== '' && !Number.isNaN(Number(value(row))));
        const before = heads[column].getAttribute('aria-sort');
        const down = before ? before === 'ascending' : numeric;
        const order = numeric
            ? (a, b) => Number(value(a)) - Number(value(b))
            : (a, b) => value(a).localeCompare(value(b), 'en', { numeric: true });
        this.rows.sort((a, b) => (down ? order(b, a) : order(a, b)));
        this.body.append(...this.rows);
        heads.forEach((head) => head.removeAttribute('aria-sort'));
        heads[column].setAttribute('aria-sort', down ? 'descending' : 'ascending');
    }

    filter() {
        const words = this.text.value.toLowerCase().split(/\s+/).filter(Boolean);
        const cause = this.cause.value;
        for (const row of this.rows)
            row.hidden =
                (cause !== '' && row.dataset.cause !== cause) ||
                !words.every((word) => row.textForFilter.includes(word));
        const shown = this.shown();
        this.count.textContent =
            shown.length === this.rows.length
                ? `${grouped(shown.length)} ${shown.length === 1 ? 'connection' : 'connections'}`
                : `${grouped(shown.length)} of ${grouped(this.rows.length)}`;
        if (!shown.includes(this.stop)) this.makeStop(shown[0]);
    }

    shown() {
        return this.rows.filter((row) => !row.hidden);
    }

    /** The one row that the Tab key comes to. */
    makeStop(row) {
        if (this.stop) this.stop.tabIndex = -1;
        this.stop = row;
        if (row) row.tabIndex = 0;
    }

    key(event) {
        const shown = this.shown();
        const at = shown.indexOf(event.target.closest('tr'));
        const to = {
            ArrowDown: at + 1,
            ArrowUp: at - 1,
            Home: 0,
            End: shown.length - 1,
            PageDown: at + 10,
            PageUp: at - 10,
        }[event.key];
        if (event.key === 'Enter' || event.key === ' ') this.take(shown[at]);
        else if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
        else this.move(shown[Math.max(0, Math.min(shown.length - 1, to))]);
        event.preventDefault();
    }

    move(row) {
        this.makeStop(row);
        row.focus();
    }

    take(row) {
        if (!row || getSelection().toString() !== '') return;
        this.choose(Number(row.dataset.stream));
    }

    /** Show which one was chosen, by whatever means. */
    mark(stream) {
        for (const row of this.rows) {
            if (Number(row.dataset.stream) === stream) {
                row.setAttribute('aria-current', 'true');
                this.makeStop(row);
                // Only the box scrolls: the reader may be looking at something else.
                const top = row.offsetTop - this.table.tHead.offsetHeight;
                if (top < this.box.scrollTop || top > this.box.scrollTop + this.box.clientHeight - 60)
                    this.box.scrollTop = top;
            } else {
                row.removeAttribute('aria-current');
            }
        }
    }
}
