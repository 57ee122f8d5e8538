// SPDX-License-Identifier: MIT
// The stream that was chosen: what is known of it, its ledger, graphs, flow graph and exchanges.
'use strict';

/** Around a frame or a wait that a reader goes to, this part of it more is shown. */
const CONTEXT = 0.3;

class Detail {
    constructor(data, id) {
        this.data = data;
        this.title = el('h2', { tabindex: -1 });
        this.facts = el('dl', { class: 'facts' });
        this.ledger = el('div');
        this.exchanges = el('div', { class: 'exchanges' });
        this.holder = el('div', {
            class: 'graph',
            tabindex: 0,
            role: 'group',
            'aria-label': 'Graph over time: plus and minus zoom, arrows move, 0 shows all',
        });
        this.why = new Why(data.words, data.notes, (from, to) => this.pick(from, to));
        this.flow = new Flow(data.words, (from, to) => this.pick(from, to));
        this.graph = new Graph(this.holder, data.words, {
            onzoom: (from, to) => this.zoomed(from, to),
            onpick: (ms, frame, band) => this.clicked(ms, frame, band),
            framesAt: (ms) => this.flow.framesAt(ms),
        });
        this.tabs = el('div', { class: 'tabs', role: 'group', 'aria-label': 'Which graph' });
        this.pictures = el(
            'div',
            { class: 'pictures' },
            el('div', { class: 'tools' }, this.tabs, this.zoomTools()),
            this.holder,
            this.why.element,
            el('h3', {}, 'Flow graph'),
            this.flow.element,
        );
        this.none = el('p', { class: 'note', hidden: true });
        this.element = el(
            'section',
            { class: 'stream', id: `${id}-stream` },
            this.title,
            this.facts,
            this.none,
            this.pictures,
            this.ledger,
            this.exchanges,
        );
        this.kind = 'sequence';
    }

    zoomTools() {
        const tool = (text, label, act) =>
            el('button', { type: 'button', title: label, 'aria-label': label, onclick: act }, text);
        this.worst = tool('Costliest part', 'Show the part that lost most time', () =>
            this.graph.zoom(...this.padded(...this.detail.worst)),
        );
        return el(
            'div',
            { class: 'zoom' },
            tool('−', 'Zoom out (−)', () => this.graph.zoomBy(2)),
            tool('+', 'Zoom in (+)', () => this.graph.zoomBy(0.5)),
            tool('◀', 'Earlier (←)', () => this.graph.moveBy(-0.5)),
            tool('▶', 'Later (→)', () => this.graph.moveBy(0.5)),
            tool('All', 'Show all (0)', () => this.graph.whole()),
            this.worst,
        );
    }

    padded(from, to) {
        const more = Math.max((to - from) * CONTEXT, 0.01);
        return [from - more, to + more];
    }

    /** @return false when the page holds nothing of that stream. */
    show(stream) {
        const detail = this.data.streams.find((d) => d.stream === stream);
        this.element.hidden = false;
        this.title.textContent = detail
            ? `Stream ${stream}: ${detail.client} → ${detail.server}${detail.name ? ` (${detail.name})` : ''}`
            : `Stream ${stream}`;
        this.detail = detail;
        const drawn = detail !== undefined && detail.graphs !== undefined && detail.graphs.length > 0;
        this.pictures.hidden = !drawn;
        this.none.hidden = drawn;
        this.none.textContent = `The graphs of this stream were left out to keep the page small: tcpwhy report -s ${stream} makes a page for it.`;
        for (const part of [this.facts, this.ledger, this.exchanges]) part.hidden = !detail;
        if (!detail) return;
        this.facts.replaceChildren(
            ...detail.facts.map(([name, text]) => el('div', {}, el('dt', {}, name), el('dd', {}, text))),
        );
        this.showLedger(detail);
        this.showExchanges(detail);
        if (drawn) this.showPictures(detail);
    }

    showPictures(detail) {
        const names = detail.graphs.map((g) => g.graph);
        if (!names.includes(this.kind)) this.kind = names[0];
        this.tabs.replaceChildren(
            ...names.map((name) =>
                el(
                    'button',
                    {
                        type: 'button',
                        'aria-pressed': String(name === this.kind),
                        'data-graph': name,
                        onclick: () => this.choose(name),
                    },
                    this.data.words.graphs[name][0],
                ),
            ),
        );
        this.worst.hidden = !detail.worst;
        this.why.hide();
        this.flow.show(detail, this.data.notes);
        this.graph.show(detail, this.kind, detail.from, detail.to);
    }

    choose(kind) {
        this.kind = kind;
        for (const tab of this.tabs.children)
            tab.setAttribute('aria-pressed', String(tab.dataset.graph === kind));
        this.graph.show(this.detail, kind, this.range[0], this.range[1]);
    }

    zoomed(from, to) {
        this.range = [from, to];
        cancelAnimationFrame(this.pending);
        this.pending = requestAnimationFrame(() => this.flow.range(from, to));
    }

    /** Show a wait in the graphs, and how its causes were weighed. */
    pick(from, to) {
        this.graph.zoom(...this.padded(from, to));
        this.why.show(this.detail, from, to);
    }

    /** A click in a graph: how its gap was weighed, and the row of its frame. */
    clicked(ms, frame, band) {
        if (band) this.why.show(this.detail, band.from, band.to);
        this.flow.mark(this.flow.rowAt(ms, frame));
    }

    /** Show the frames of a finding: first to last, in the flow graph's rows. */
    goTo(first, last) {
        const rows = this.detail?.decodedRows?.filter(
            (row) => row.kind !== 'gap' && row.last >= first && row.frame <= last,
        );
        if (rows?.length) this.graph.zoom(...this.padded(rows[0].at, rows[rows.length - 1].to));
    }

    span([from, to, text, first, last]) {
        return el(
            'button',
            {
                type: 'button',
                class: 'link',
                title: 'show it in the graphs',
                onclick: () => this.pick(from, to),
            },
            `${text}, frames ${first}–${last}`,
        );
    }

    showLedger(detail) {
        const titles = new Map(this.data.words.causes);
        const row = (e) =>
            el(
                'tr',
                {},
                el('th', { scope: 'row' }, el('i', { class: `c-${e.cause}` }), capital(titles.get(e.cause))),
                el('td', {}, e.owner),
                el('td', { class: 'n' }, e.time),
                el('td', { class: 'n' }, e.share),
                el('td', { class: 'n' }, grouped(e.count)),
                el('td', {}, e.rival ? `${e.confidence}, could also be ${e.rival}` : e.confidence),
                el('td', {}, e.longest ? this.span(e.longest) : '–'),
                el('td', { class: 'advice' }, e.fix ?? ''),
            );
        const heads = ['Cause', 'Owner', detail.unit, 'Share', 'Count', 'Confidence', 'Longest', 'Fix'];
        this.ledger.replaceChildren(
            el('h3', {}, 'Time by cause'),
            el(
                'div',
                { class: 'wide' },
                el(
                    'table',
                    { class: 'ledger' },
                    el(
                        'thead',
                        {},
                        el(
                            'tr',
                            {},
                            ...heads.map((h, i) =>
                                el('th', { scope: 'col', class: i > 1 && i < 5 ? 'n' : null }, h),
                            ),
                        ),
                    ),
                    el('tbody', {}, ...detail.ledger.map(row)),
                ),
            ),
        );
    }

    showExchanges(detail) {
        this.exchanges.hidden = detail.exchanges.length === 0;
        if (this.exchanges.hidden) return;
        const parts = [el('h3', {}, 'Requests')];
        if (detail.percentiles)
            parts.push(
                el(
                    'dl',
                    { class: 'percentiles' },
                    ...detail.percentiles.map(([name, text, part]) =>
                        el(
                            'div',
                            {},
                            el('dt', {}, name),
                            el(
                                'dd',
                                {},
                                el('i', { style: `width:${(part * 100).toFixed(1)}%` }),
                                el('span', {}, text),
                            ),
                        ),
                    ),
                ),
            );
        if (detail.n_exchanges > detail.exchanges.length)
            parts.push(
                el(
                    'p',
                    { class: 'q' },
                    `The ${detail.exchanges.length} slowest of ${grouped(detail.n_exchanges)}:`,
                ),
            );
        const row = ([at, total, first, whole, sent, received, from, to, status, request]) =>
            el(
                'tr',
                {},
                el(
                    'td',
                    { class: 'n' },
                    el(
                        'button',
                        {
                            type: 'button',
                            class: 'link',
                            title: 'show it in the graphs',
                            onclick: () => this.graph.zoom(...this.padded(at, at + total)),
                        },
                        seconds(at),
                    ),
                ),
                el('td', { class: 'n' }, first),
                el('td', { class: 'n' }, whole),
                el('td', { class: 'n' }, sent),
                el('td', { class: 'n' }, received),
                el('td', { class: 'n' }, `${from}–${to}`),
                el('td', { class: 'n' }, status || '–'),
                el('td', { class: 'mono' }, request || '–'),
            );
        const heads = ['Start s', 'First byte', 'Total', 'Request bytes', 'Response bytes', 'Frames', 'Status', 'Request'];
        parts.push(tableOf(heads, (i) => i < 7, detail.exchanges.map(row)));
        this.exchanges.replaceChildren(...parts);
    }
}
