// SPDX-License-Identifier: MIT
// How the causes of a gap were weighed, once a reader has picked it: as tcpwhy explain --why has it.
'use strict';

class Why {
    /** @param onpick  called with a gap that a reader asked for, in milliseconds. */
    constructor(words, notes, onpick) {
        Object.assign(this, { words, notes, onpick });
        this.element = el('div', { class: 'why', 'aria-live': 'polite', hidden: true });
    }

    hide() {
        this.element.hidden = true;
    }

    /** Of the gap that has most in common with a time, in milliseconds into the capture. */
    show(detail, from, to) {
        const gaps = detail.why?.gaps ?? [];
        const common = (gap) => Math.min(gap.to, to) - Math.max(gap.from, from);
        const gap = gaps.reduce((best, g) => (best && common(best) >= common(g) ? best : g), null);
        const isKept = gap !== null && common(gap) > 0;
        this.element.replaceChildren(
            el('h3', {}, 'How this gap was weighed'),
            ...(isKept ? this.weighing(gap) : this.absent(detail, gaps, to)),
        );
        this.element.hidden = false;
        this.element.scrollIntoView({ block: 'nearest' });
    }

    /** Of a gap that is not in the page: what prints it, and those that are. */
    absent(detail, gaps, to) {
        const next = detail.decodedRows.find((row) => row.kind !== 'gap' && row.to >= to - 1e-3);
        const frame = next ? `=${next.kind === 'frame' ? next.frame : next.last}` : '';
        const link = (gap) =>
            el(
                'button',
                { type: 'button', class: 'link', onclick: () => this.onpick(gap.from, gap.to) },
                `${duration(gap.to - gap.from)} at ${seconds(gap.from)} s`,
            );
        return [
            el('p', {}, `Not in this page: tcpwhy explain -s ${detail.stream} --why${frame}`),
            gaps.length > 0 &&
                el('p', {}, 'Costliest gaps: ', ...gaps.flatMap((gap, i) => [i ? ', ' : '', link(gap)])),
        ].filter(Boolean);
    }

    weighing(gap) {
        const { heads } = gap;
        const cause = (name) => el('th', { scope: 'row' }, el('i', { class: `c-${name}` }), name);
        const row = ([name, ...cells]) =>
            el('tr', {}, cause(name), ...cells.map((cell) => el('td', { class: 'n' }, cell)));
        const refuted = [];
        for (let i = 0; i < gap.refuted.length; i += 2) {
            const why = `refuted: ${this.notes[gap.refuted[i + 1]]}`;
            const name = this.words.causes[gap.refuted[i]][0];
            refuted.push(el('tr', { class: 'q' }, cause(name), el('td', { colspan: heads.length - 1 }, why)));
        }
        return [
            el('p', {}, gap.head),
            tableOf(heads, (i) => i > 0, [...gap.rows.map(row), ...refuted]),
            el('p', {}, el('b', {}, gap.verdict)),
        ];
    }
}
