// SPDX-License-Identifier: MIT
// The flow graph of what the graphs show: a row each frame or folded run, a band each silence.
'use strict';

/** More rows than this no one reads; zooming brings the others. */
const MAX_SHOWN = 300;

const FLAGS = [
    [0x002, 'SYN'],
    [0x001, 'FIN'],
    [0x004, 'RST'],
    [0x008, 'PSH'],
    [0x010, 'ACK'],
    [0x020, 'URG'],
    [0x040, 'ECE'],
    [0x080, 'CWR'],
    [0x100, 'AE'],
];
const ACK = 0x010;

const BAD = new Set(['retransmission', 'window_probe', 'rst']);
const WARN = new Set(['out_of_order', 'duplicate_frame', 'duplicate_ack', 'window_probe_ack']);

/** Heights of silences, in pixels: the longest shown and the shortest. */
const MAX_GAP = 130;
const MIN_GAP = 30;

/** What a letter of a frame's number or time takes, in pixels: 12 pixels, monospaced. */
const LETTER = 7.3;

class Flow {
    /** @param onpick  called with the gap that a reader asked for, in milliseconds. */
    constructor(words, onpick) {
        Object.assign(this, { words, onpick });
        this.list = el('ol', { class: 'ladder' });
        this.note = el('p', { class: 'q' });
        this.element = el('div', { class: 'flow' }, this.note, this.list);
    }

    show(detail, notes) {
        this.detail = detail;
        detail.decodedRows ??= decodeRows(detail, notes);
        this.head = el(
            'li',
            { class: 'ends', 'aria-hidden': 'true' },
            el('span', {}, 'frame'),
            el('span', {}, 'seconds'),
            el('div', { class: 'lane' }, el('b', {}, detail.client), el('b', {}, detail.server)),
            el('span'),
        );
    }

    /** Only rows that are alive between these times. */
    range(from, to) {
        const inside = this.detail.decodedRows.filter((row) => row.to >= from - 1e-3 && row.at <= to + 1e-3);
        const shown = inside.slice(0, MAX_SHOWN);
        this.shown = shown;
        this.longest = Math.max(...shown.filter((r) => r.kind === 'gap').map((r) => r.to - r.at), 1e-3);
        this.makeRoom('--no', 0, shown.map((row) => this.frames(row)));
        this.makeRoom('--at', 24, shown.map((row) => seconds(row.at)));
        this.list.replaceChildren(this.head, ...shown.map((row) => this.row(row)));
        this.note.textContent = this.told(inside.length, shown, from, to);
    }

    /** The row of a frame, or else the one nearest to a time. */
    rowAt(ms, frame = null) {
        const rows = this.detail.decodedRows.filter((row) => row.kind === 'frame' || row.kind === 'run');
        const far = (row) => Math.max(row.at - ms, ms - row.to, 0);
        const own = rows.filter((row) => frame !== null && row.frame <= frame && frame <= row.last);
        return (own.length > 0 ? own : rows).reduce((best, row) => (best && far(best) <= far(row) ? best : row), null);
    }

    framesAt(ms) {
        const row = this.rowAt(ms);
        return row && `${row.last > row.frame ? 'frames' : 'frame'} ${this.frames(row)}`;
    }

    /** Bring a row into view, if it is shown. */
    mark(row) {
        for (const item of this.list.querySelectorAll('[aria-current]')) item.removeAttribute('aria-current');
        const item = this.list.children[this.shown.indexOf(row) + 1];
        if (!row || !item || item === this.head) return;
        item.setAttribute('aria-current', 'true');
        this.list.scrollTop = item.offsetTop - this.list.offsetTop - this.list.clientHeight / 2;
    }

    /** A column as wide as its widest text; rows are laid out one by one and cannot agree on it. */
    makeRoom(column, margin, texts) {
        const letters = Math.max(0, ...texts.map((text) => text.length));
        this.list.style.setProperty(column, `${Math.ceil(letters * LETTER) + margin}px`);
    }

    told(n, shown, from, to) {
        const where = `from ${seconds(from)} to ${seconds(to)} s`;
        if (n === 0) return `No frames ${where}.`;
        if (n > shown.length)
            return `The first ${shown.length} of ${n} rows ${where}. Zoom in for the others.`;
        return `${n === 1 ? 'One row' : `${n} rows`} ${where}, as zoomed above.`;
    }

    row(row) {
        return this[row.kind](row);
    }

    line(row, classes, lane, note, title) {
        return el(
            'li',
            { class: `${row.kind} ${row.side} ${classes}`, title },
            el('span', { class: 'no' }, this.frames(row)),
            el('span', { class: 'at' }, row.kind === 'gap' ? '' : seconds(row.at)),
            lane,
            el('span', { class: 'what' }, note),
        );
    }

    frames(row) {
        if (row.kind === 'gap') return '';
        return row.last > row.frame && row.kind !== 'frame' ? `${row.frame}–${row.last}` : String(row.frame);
    }

    tone(row) {
        const name = this.words.classes[row.class];
        if (BAD.has(name) || (name.startsWith('syn') && row.note.includes('#'))) return 'bad';
        if (WARN.has(name) || row.note.includes('win 0')) return 'warn';
        if (name !== 'data') return 'quiet';
        return row.duplicates > 0 ? 'warn' : 'plain';
    }

    frame(row) {
        const flags =
            FLAGS.filter(([bit]) => row.flags & bit)
                .map(([, name]) => name)
                .join(',') || '–';
        const parts = [flags, `seq ${row.seq}`];
        if (row.flags & ACK) parts.push(`ack ${row.ack}`);
        if (row.len > 0) parts.push(`len ${row.len}`);
        if (row.window >= 0) parts.push(`win ${row.window}`);
        return this.line(
            row,
            this.tone(row),
            el('div', { class: 'lane' }, el('span', {}, parts.join('  '))),
            row.note,
        );
    }

    run(row) {
        const parts = [row.n === 1 ? '1 segment' : `${grouped(row.n)} segments`];
        if (row.bytes > 0) parts.push(`${grouped(row.bytes)} bytes`);
        const acks = row.acks - row.duplicates;
        if (acks > 0) parts.push(acks === 1 ? '1 ACK' : `${grouped(acks)} ACKs`);
        if (row.duplicates > 0)
            parts.push(row.duplicates === 1 ? '1 duplicate ACK' : `${grouped(row.duplicates)} duplicate ACKs`);
        return this.line(
            row,
            `${this.tone(row)} fold`,
            el('div', { class: 'lane' }, el('span', {}, parts.join(', '))),
            row.note,
        );
    }

    gap(row) {
        const [cause, title] = this.words.causes[row.cause];
        const ms = row.to - row.at;
        const height = MIN_GAP + (MAX_GAP - MIN_GAP) * (ms / this.longest);
        const button = el(
            'button',
            {
                type: 'button',
                class: 'lane',
                style: `min-height:${Math.round(height)}px`,
                onclick: () => this.onpick(row.at, row.to),
                title: 'zoom here, and show how its causes were weighed',
            },
            el('b', {}, `${decimals(ms, 3)} ms`),
            ` ${cause === 'none' ? 'between connections' : title}`,
        );
        return this.line(row, `c-${cause}`, button, row.note);
    }

    cut(row) {
        return this.line(
            row,
            '',
            el(
                'div',
                { class: 'lane' },
                el('span', {}, `${grouped(row.n)} frames not in this page (${row.frame}–${row.last})`),
            ),
            '',
        );
    }
}
