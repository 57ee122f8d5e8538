// SPDX-License-Identifier: MIT
// Begins: each capture of the page gets its table, and its worst stream is chosen.
'use strict';

class Chapter {
    constructor(article, data) {
        this.id = article.id;
        const section = article.querySelector('.connections');
        this.detail = new Detail(data, this.id);
        section.after(this.detail.element);
        this.table = new StreamTable(section, (stream) => this.choose(stream));
        article.addEventListener('click', (event) => this.follow(event));
        const asked = this.fromHash();
        this.choose(asked ?? Number(this.table.rows[0].dataset.stream), asked === undefined);
        if (asked !== undefined) this.detail.element.scrollIntoView();
    }

    /** "#c0-s20" is stream 20 of the first capture. */
    fromHash() {
        const found = location.hash.match(/^#(c\d+)-s(\d+)$/);
        const stream = found && found[1] === this.id ? Number(found[2]) : undefined;
        return this.table.rows.some((row) => Number(row.dataset.stream) === stream) ? stream : undefined;
    }

    choose(stream, quietly = false) {
        this.table.mark(stream);
        this.detail.show(stream);
        if (!quietly) this.remember(stream);
    }

    /** In the page's address, so that it can be sent or loaded again. */
    remember(stream) {
        try {
            history.replaceState(null, '', `#${this.id}-s${stream}`);
        } catch {
            // A preview in a frame may not.
        }
    }

    /** A finding's frames: choose its stream, and show them. */
    follow(event) {
        const link = event.target.closest('a[data-stream]');
        if (!link) return;
        event.preventDefault();
        this.choose(Number(link.dataset.stream));
        if (link.dataset.frames) this.detail.goTo(...link.dataset.frames.split('-').map(Number));
        this.detail.element.scrollIntoView({ behavior: 'smooth' });
        this.detail.title.focus({ preventScroll: true });
    }
}

const chapters = [];

// Colours of a canvas do not follow the style sheet by themselves.
for (const query of ['(prefers-color-scheme: dark)', 'print'])
    matchMedia(query).addEventListener('change', () =>
        chapters.forEach((chapter) => chapter.detail.graph.draw()),
    );

(async () => {
    for (const article of document.querySelectorAll('.capture')) {
        const script = article.querySelector('script[data-packed]');
        if (!script) continue;
        try {
            chapters.push(new Chapter(article, await readData(script)));
        } catch (error) {
            // A browser of long ago: what needs no script is there all the same.
            console.error(error);
            script.before(el('p', { class: 'note' }, `The graphs cannot be shown here: ${error.message}`));
        }
    }
    performance.mark('ready');
})();
