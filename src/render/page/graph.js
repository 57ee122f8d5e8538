// SPDX-License-Identifier: MIT
// A graph over time with uPlot: curves before the causes' bands, zoomed by mouse, buttons and keys.
'use strict';

/** Looks by role: [custom property, width, dash]. */
const LOOKS = {
    window: ['--window', 1.5, [6, 3]],
    window_edge: ['--window', 1.5, [6, 3]],
    usable_window: ['--flight', 1.2],
    flight: ['--flight', 1.4],
    throughput: ['--flight', 1.4],
    rtt: ['--flight', 3],
    ack: ['--ack', 1.5],
    goodput: ['--ack', 1.5],
    sack: ['--sack', 2],
    data: ['--ink', 2],
    out_of_order: ['--warn', 3],
    probe: ['--warn', 3],
    zero_window: ['--bad', 3],
    retransmission: ['--bad', 3],
    pipe: ['--ink', 1],
    cwnd_low: ['--ack', 1.5],
    cwnd_high: ['--ack', 1.5],
    ssthresh_low: ['--sack', 1, [2, 3]],
    ssthresh_high: ['--sack', 1, [2, 3]],
    srtt: ['--ack', 1.5],
    rto: ['--window', 1.5, [6, 3]],
    loss: ['--warn', 3],
};

/** Levels that may lie far above what the graph is about. */
const MAY_BE_CUT = new Set(['window', 'window_edge', 'rto', 'ssthresh_low', 'ssthresh_high']);

/** A window far above all else would press that to the ground: beyond so much it is cut off. */
const MAX_ABOVE = 2;
const HEADROOM = 1.3;

const MIN_BAR = 2;
const MIN_NOTICE = 8;
const HEIGHT = 340;
const STRIP = 7;

/** A drag that goes so many pixels both ways marks a box, and zooms both axes. */
const BOX = 30;

/** No finer zoom: clocks of captures count microseconds at best. */
const LEAST_MS = 0.002;

/** Of a second: captures know nanoseconds. */
const MOST_DIGITS = 9;

/** Index of the last x at or before a value; -1 when there is none. */
function lastBefore(xs, value) {
    let low = 0;
    let high = xs.length;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (xs[middle] <= value) low = middle + 1;
        else high = middle;
    }
    return low - 1;
}

class Graph {
    /**
     * @param onzoom    called with the range that is shown, in milliseconds into the capture.
     * @param onpick    called with the time that was clicked on, the frame of the mark there or null, and the band.
     * @param framesAt  the frames at a time, as text.
     */
    constructor(holder, words, { onzoom, onpick, framesAt }) {
        Object.assign(this, { holder, words, onzoom, onpick, framesAt });
        this.readout = el('p', { class: 'readout', 'aria-live': 'off' });
        this.hint = el('p', { class: 'hint' });
        holder.addEventListener('keydown', (event) => this.key(event));
        new ResizeObserver(() => this.plot && this.plot.setSize(this.size())).observe(holder);
    }

    size() {
        return {
            width: Math.max(this.holder.clientWidth, 280),
            height: this.holder.clientWidth < 560 ? 260 : HEIGHT,
        };
    }

    /** Draw a graph of a stream; from and to in milliseconds. */
    show(detail, name, from, to) {
        const graph = detail.graphs.find((g) => g.graph === name);
        this.detail = detail;
        this.graph = graph;
        this.unit = this.words.graphs[name][1];
        this.format = formats[this.unit];
        graph.decoded ??= graph.curves.map((c) => decodeCurve(c, detail.from));
        detail.decodedBands ??= decodeBands(detail);
        this.limits = this.widened(detail.from, detail.to);
        const shown = this.widened(from, to);
        this.x = [shown[0] / 1e3, shown[1] / 1e3];
        this.draw();
    }

    /** A stream of one frame, or of several at one time, has no length to draw. */
    widened(from, to) {
        const short = Math.max(0, LEAST_MS - (to - from)) / 2;
        return [from - short, to + short];
    }

    draw() {
        if (!this.graph) return;
        if (this.plot) this.plot.destroy();
        this.colours = this.words.causes.map(([cause]) => this.colourOf(cause));
        const data = uPlot.join(this.graph.decoded.map((c) => [c.x, c.y]));
        this.plot = new uPlot(this.options(), data, this.holder);
        this.holder.append(this.readout, this.hint);
        this.plot.over.addEventListener('click', () => this.pick());
        for (const head of this.holder.querySelectorAll('.u-legend .u-series th')) {
            head.tabIndex = 0;
            head.addEventListener('keydown', (event) => event.key === 'Enter' && head.click());
        }
    }

    colourOf(cause) {
        const probe = el('i', { class: `c-${cause}`, hidden: true });
        this.holder.append(probe);
        const colour = css('--c', probe);
        probe.remove();
        return colour;
    }

    options() {
        const quiet = css('--quiet');
        const axis = {
            stroke: quiet,
            grid: { stroke: css('--faint'), width: 1 },
            ticks: { stroke: css('--line'), width: 1 },
            font: '12px system-ui, sans-serif',
            labelFont: '12px system-ui, sans-serif',
        };
        return {
            ...this.size(),
            ms: 1,
            padding: [12, 20, 0, 0],
            legend: { live: true },
            cursor: {
                drag: { x: true, y: true, dist: 4, uni: BOX },
                dataIdx: (u, s, i, x) => this.indexAt(u, s, i, x),
                points: { size: 6 },
            },
            scales: {
                x: {
                    time: false,
                    min: this.x[0],
                    max: this.x[1],
                    range: (u, min, max) => (this.x = min === null ? this.x : [min, max]),
                },
                y: { range: (u) => this.rangeOfValues(u) },
            },
            axes: [
                {
                    ...axis,
                    label: 'seconds into the capture',
                    labelSize: 22,
                    labelGap: 2,
                    size: 34,
                    space: (u, i, low, high) => this.timeSpace(low, high),
                    values: (u, splits, i, space, incr) => this.timeLabels(splits, incr),
                },
                { ...axis, size: 76, values: (u, splits) => this.valueLabels(splits) },
            ],
            series: [
                { label: 'time', value: (u, v) => (v === null ? '' : `${decimals(v, 6)} s`) },
                ...this.graph.decoded.map((c) => this.series(c)),
            ],
            hooks: {
                drawClear: [(u) => this.bands(u)],
                draw: [(u) => this.ceiling(u), () => this.help()],
                setCursor: [(u) => this.tell(u)],
                setScale: [(u, key) => key === 'x' && this.onzoom(this.x[0] * 1e3, this.x[1] * 1e3)],
            },
        };
    }

    /** Pixels from label to label, so that those of long captures, or of deep zooms, do not touch. */
    timeSpace(low, high) {
        const digits = Math.min(Math.max(Math.ceil(-Math.log10((high - low) / 10)), 0), MOST_DIGITS);
        return Math.max(50, decimals(high, digits).length * 8 + 14);
    }

    timeLabels(splits, incr) {
        let digits = 0;
        const isWhole = (steps) => Math.abs(steps - Math.round(steps)) < 1e-6 * steps;
        while (digits < MOST_DIGITS && !isWhole(incr * 10 ** digits)) digits++;
        return splits.map((v) => decimals(Math.abs(v) < incr / 2 ? 0 : v, digits));
    }

    /** None for a part of a byte, and none twice where both are rounded to it. */
    valueLabels(splits) {
        const labels = splits.map((v) => (Number.isInteger(v) ? this.format(v) : ''));
        return labels.map((label, i) => (label === labels[i - 1] ? '' : label));
    }

    series(curve) {
        const [colour, width, dash] = LOOKS[curve.role] ?? ['--ink', 1.5];
        const stroke = css(colour);
        const common = {
            label: this.words.roles[curve.role],
            stroke,
            width,
            dash,
            value: (u, v) => (v === null || v === undefined ? '–' : this.format(v)),
            points: { show: false },
        };
        if (curve.mark === 'step') return { ...common, paths: uPlot.paths.stepped({ align: 1 }) };
        if (curve.mark === 'bar') return { ...common, paths: (u, i) => this.bars(u, i, curve) };
        return {
            ...common,
            paths: () => null,
            points: { show: true, size: curve.frame ? 8 : 4, width: 0, fill: stroke },
        };
    }

    /** Uprights from low to high; what is noticed is drawn larger than it is. */
    bars(u, index, curve) {
        const stroke = new Path2D();
        const least = (curve.frame ? MIN_NOTICE : MIN_BAR) * devicePixelRatio;
        const from = Math.max(0, lastBefore(curve.x, this.x[0]));
        for (let i = from; i < curve.x.length && curve.x[i] <= this.x[1]; i++) {
            const x = u.valToPos(curve.x[i], 'x', true);
            const low = u.valToPos(curve.low[i], 'y', true);
            const high = u.valToPos(curve.y[i], 'y', true);
            const short = Math.max(0, least - (low - high)) / 2;
            stroke.moveTo(x, low + short);
            stroke.lineTo(x, high - short);
        }
        return { stroke, fill: null, clip: null };
    }

    /** The point that a legend tells: of a line the last before the cursor, of others one close by. */
    indexAt(u, s, index, x) {
        const curve = this.graph.decoded[s - 1];
        if (!curve) return index;
        const xs = u.data[0];
        let at = lastBefore(curve.x, x);
        const near = (this.x[1] - this.x[0]) / 100;
        if (curve.mark !== 'step') {
            if (at + 1 < curve.x.length && (at < 0 || curve.x[at + 1] - x < x - curve.x[at])) at++;
            if (at < 0 || Math.abs(curve.x[at] - x) > near) return null;
        }
        return at < 0 ? null : lastBefore(xs, curve.x[at]);
    }

    /** Lowest and highest of a curve in what is shown. */
    extremes(curve) {
        let low = Infinity;
        let high = -Infinity;
        let i = Math.max(0, lastBefore(curve.x, this.x[0]));
        if (curve.mark !== 'step' && curve.x[i] < this.x[0]) i++;
        for (; i < curve.x.length && curve.x[i] <= this.x[1]; i++) {
            low = Math.min(low, curve.low[i]);
            high = Math.max(high, curve.y[i]);
        }
        return [low, high];
    }

    rangeOfValues(u) {
        const sequence = this.graph.graph === 'sequence';
        let low = sequence ? Infinity : 0;
        let high = this.graph.ceiling ?? -Infinity;
        let most = -Infinity;
        const levels = [];
        this.graph.decoded.forEach((curve, i) => {
            const [least, highest] = this.extremes(curve);
            if (u.series[i + 1] && !u.series[i + 1].show) return;
            if (this.graph.graph !== 'window' && MAY_BE_CUT.has(curve.role)) {
                most = Math.max(most, highest);
                levels.push([curve.role, highest]);
            } else {
                low = Math.min(low, least);
                high = Math.max(high, highest);
            }
        });
        if (!(high >= low)) [low, high] = [sequence && most > 0 ? most - 1 : 0, Math.max(most, 1)];
        // Never nothing at all, not even where numbers are so large that they have no units.
        const size = Math.max(high - low, 1, Math.abs(high) * 1e-9);
        high = low + size;
        if (most > high) high = most - low <= MAX_ABOVE * size ? most : low + HEADROOM * size;
        const top = high + size / 25;
        this.cut = levels.filter(([, highest]) => highest > top);
        return [low, top];
    }

    /** The ways to zoom, and what lies above the top of the axis. */
    help() {
        const cut = this.cut.map(([role, highest]) => `${this.words.roles[role]} (up to ${this.format(highest)})`);
        const above = cut.length > 0 ? ` Above the top of the axis: ${cut.join(', ')}.` : '';
        this.hint.textContent =
            `Drag sideways to zoom in time, up or down for values, a box for both; double-click or All undoes it.` +
            ` Click to find the frame in the flow graph.${above}`;
    }

    /** Behind the curves, faint; at the foot, undiluted. */
    bands(u) {
        const { left, top, width, height } = u.bbox;
        const strip = STRIP * devicePixelRatio;
        const tint = Number(css('--tint'));
        u.ctx.save();
        for (const band of this.detail.decodedBands) {
            const from = Math.max(left, u.valToPos(band.from / 1e3, 'x', true));
            const to = Math.min(left + width, u.valToPos(band.to / 1e3, 'x', true));
            if (to <= from) continue;
            u.ctx.fillStyle = this.colours[band.cause];
            u.ctx.globalAlpha = tint;
            u.ctx.fillRect(from, top, to - from, height - strip);
            u.ctx.globalAlpha = 1;
            u.ctx.fillRect(from, top + height - strip, Math.max(to - from, 1), strip);
        }
        u.ctx.restore();
    }

    ceiling(u) {
        if (!this.graph.ceiling) return;
        const y = u.valToPos(this.graph.ceiling, 'y', true);
        if (y < u.bbox.top || y > u.bbox.top + u.bbox.height) return;
        u.ctx.save();
        u.ctx.strokeStyle = u.ctx.fillStyle = css('--ink');
        u.ctx.setLineDash([10, 4]);
        u.ctx.beginPath();
        u.ctx.moveTo(u.bbox.left, y);
        u.ctx.lineTo(u.bbox.left + u.bbox.width, y);
        u.ctx.stroke();
        u.ctx.font = `600 ${12 * devicePixelRatio}px system-ui, sans-serif`;
        u.ctx.textAlign = 'right';
        u.ctx.fillText(
            `ceiling ${this.format(this.graph.ceiling)}: ${this.titleOf(this.graph.cause)}`,
            u.bbox.left + u.bbox.width - 6,
            y - 6,
        );
        u.ctx.restore();
    }

    titleOf(name) {
        return this.words.causes.find(([cause]) => cause === name)[1];
    }

    bandAt(ms) {
        return this.detail.decodedBands.find((b) => b.from <= ms && ms < b.to);
    }

    /** Marks with a frame that are close to a time: [role, frame]. */
    marksAt(u, ms) {
        const marks = [];
        this.graph.decoded.forEach((curve, i) => {
            const index = curve.frame && u.series[i + 1].show && this.indexAt(u, i + 1, 0, ms / 1e3);
            if (curve.frame && typeof index === 'number')
                marks.push([curve.role, curve.frame[lastBefore(curve.x, u.data[0][index])]]);
        });
        return marks;
    }

    pick() {
        const ms = this.plot.posToVal(this.plot.cursor.left, 'x') * 1e3;
        const [mark] = this.marksAt(this.plot, ms);
        this.onpick(ms, mark ? mark[1] : null, this.bandAt(ms));
    }

    /** Under the graph: the time under the cursor, what it went to, and a frame that is close. */
    tell(u) {
        if (u.cursor.left < 0) {
            this.readout.textContent = '\u00a0';
            return;
        }
        const ms = u.posToVal(u.cursor.left, 'x') * 1e3;
        const band = this.bandAt(ms);
        const parts = [`${seconds(ms)} s`];
        if (band) parts.push(`${this.words.causes[band.cause][1]}, ${duration(band.to - band.from)}`);
        const marks = this.marksAt(u, ms).map(([role, frame]) => `${this.words.roles[role]}: frame ${frame}`);
        parts.push(...(marks.length > 0 ? marks : [this.framesAt(ms)].filter(Boolean)));
        this.readout.textContent = parts.join('  ·  ');
    }

    /** Show a range in milliseconds, kept inside the stream's life. */
    zoom(from, to) {
        const [first, last] = this.limits;
        const width = Math.min(Math.max(to - from, LEAST_MS), last - first);
        from = Math.max(first, Math.min(from, last - width));
        this.plot.setScale('x', { min: from / 1e3, max: (from + width) / 1e3 });
    }

    /** Keep the middle: by 0.5 twice as close, by 2 twice as far. */
    zoomBy(factor) {
        const middle = (this.x[0] + this.x[1]) * 500;
        const half = (this.x[1] - this.x[0]) * 500 * factor;
        this.zoom(middle - half, middle + half);
    }

    /** Move by a part of what is shown. */
    moveBy(part) {
        const by = (this.x[1] - this.x[0]) * 1e3 * part;
        this.zoom(this.x[0] * 1e3 + by, this.x[1] * 1e3 + by);
    }

    whole() {
        this.zoom(...this.limits);
    }

    key(event) {
        const act = {
            '+': () => this.zoomBy(0.5),
            '=': () => this.zoomBy(0.5),
            '-': () => this.zoomBy(2),
            ArrowLeft: () => this.moveBy(-0.25),
            ArrowRight: () => this.moveBy(0.25),
            0: () => this.whole(),
        }[event.key];
        if (!act || event.target !== this.holder || event.ctrlKey || event.metaKey || event.altKey) return;
        act();
        event.preventDefault();
    }
}
