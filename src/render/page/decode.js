// SPDX-License-Identifier: MIT
// What src/render/html_curves.c and html_rows.c wrote down as differences: curves, bands, rows.
'use strict';

/** The data of a capture: JSON, as it stands or as zlib in base64. */
async function readData(script) {
    if (script.dataset.packed !== 'deflate') return JSON.parse(script.textContent);
    const bytes = Uint8Array.from(atob(script.textContent), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
    return JSON.parse(await new Response(stream).text());
}

/** Differences to the numbers themselves, each times a unit. */
function summed(differences, unit = 1) {
    let sum = 0;
    return differences.map((difference) => (sum += difference) * unit);
}

/** A curve with its points in arrays: x in seconds into the capture, low, y (the highest), frame. */
function decodeCurve(curve, fromMs) {
    const x = summed(curve.time, curve.unit_ns / 1e9);
    const low = summed(curve.low, curve.unit);
    const length = curve.length && summed(curve.length, curve.unit);
    for (let i = 0; i < x.length; i++) {
        x[i] += fromMs / 1e3;
        // uPlot wants each point right of the one before.
        if (i > 0 && x[i] <= x[i - 1]) x[i] = x[i - 1] + 1e-9;
    }
    return {
        role: curve.role,
        mark: curve.mark,
        x,
        low,
        y: length ? low.map((v, i) => v + length[i]) : low,
        frame: curve.frame && summed(curve.frame),
    };
}

/** Intervals with the index of their cause, in milliseconds into the capture. */
function decodeBands(detail) {
    const bands = [];
    let at = detail.from;
    for (let i = 0; i < detail.bands.length; i += 3) {
        const from = at + detail.bands[i] / 1e3;
        at = from + detail.bands[i + 1] / 1e3;
        bands.push({ from, to: at, cause: detail.bands[i + 2] });
    }
    return bands;
}

const ROW_KINDS = ['frame', 'run', 'gap', 'cut'];

/** Rows of the flow graph, times in milliseconds into the capture. */
function decodeRows(detail, notes) {
    const numbers = detail.rows;
    const state = { frame: 0, at: 0, seq: [0, 0], ack: [0, 0] };
    const rows = [];
    let i = 0;
    const next = () => numbers[i++];
    const time = () => detail.from + (state.at += next()) / 1e3;
    const step = () => ({ frame: (state.frame += next()), at: time() });
    const end = () => ({ last: (state.frame += next()), to: time() });
    const kinds = {
        frame(row, side) {
            Object.assign(row, step(), { class: next(), note: notes[next()], flags: next() });
            row.seq = state.seq[side] += next();
            row.ack = state.ack[side] += next();
            row.len = next();
            row.window = next() - 1;
            row.last = row.frame;
            row.to = row.at;
        },
        run: (row) =>
            Object.assign(row, step(), { class: next(), note: notes[next()] }, end(), {
                n: next(),
                bytes: next(),
                acks: next(),
                duplicates: next(),
            }),
        gap: (row) => Object.assign(row, { at: time(), to: time(), cause: next(), note: notes[next()] }),
        cut: (row) => Object.assign(row, step(), end(), { n: next() }),
    };
    while (i < numbers.length) {
        const head = next();
        const row = { kind: ROW_KINDS[head & 3], side: head >> 2 ? 'server' : 'client' };
        kinds[row.kind](row, head >> 2);
        rows.push(row);
    }
    return rows;
}
