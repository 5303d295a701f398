/** The search field and its list of matches. */

import type { Match } from '../graph/messages';

const PAUSE = 120; // milliseconds without a key before it is searched for

export class Search {
  readonly #field: HTMLInputElement;
  readonly #list: HTMLUListElement;
  readonly #choose: (id: string) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #current = 0;

  constructor(
    field: HTMLInputElement,
    list: HTMLUListElement,
    ask: (text: string) => void,
    choose: (id: string) => void,
    leave: () => void,
  ) {
    this.#field = field;
    this.#list = list;
    this.#choose = choose;
    field.addEventListener('input', () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => ask(field.value), PAUSE);
    });
    field.addEventListener('keydown', event => this.#key(event, leave));
    list.addEventListener('mousedown', event => {
      const item = event.target instanceof Element ? event.target.closest('li') : null;
      if (item?.dataset['id'] !== undefined) {
        event.preventDefault();
        this.#take(item.dataset['id']);
      }
    });
    field.addEventListener('blur', () => this.#show([]));
  }

  focus(): void {
    this.#field.select();
  }

  answer(text: string, matches: readonly Match[]): void {
    if (text === this.#field.value) {
      this.#show(matches);
    }
  }

  #show(matches: readonly Match[]): void {
    this.#current = 0;
    this.#list.replaceChildren(
      ...matches.map(({ id, text }, index) => {
        const item = document.createElement('li');
        item.id = `match-${index}`;
        item.dataset['id'] = id;
        item.textContent = text;
        item.setAttribute('role', 'option');
        return item;
      }),
    );
    this.#list.hidden = matches.length === 0;
    this.#mark();
  }

  #key(event: KeyboardEvent, leave: () => void): void {
    const items = this.#list.children;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const step = event.key === 'ArrowDown' ? 1 : -1;
      this.#current = (this.#current + step + items.length) % Math.max(1, items.length);
      this.#mark();
    } else if (event.key === 'Enter') {
      const item = items[this.#current];
      if (item instanceof HTMLElement && item.dataset['id'] !== undefined) {
        this.#take(item.dataset['id']);
      }
    } else if (event.key === 'Escape') {
      this.#field.value = '';
      leave();
    } else {
      return;
    }
    event.preventDefault();
  }

  #take(id: string): void {
    this.#show([]);
    this.#choose(id);
  }

  #mark(): void {
    [...this.#list.children].forEach((item, index) => {
      item.setAttribute('aria-selected', String(index === this.#current));
    });
    const current = this.#list.children[this.#current];
    this.#field.setAttribute('aria-activedescendant', current?.id ?? '');
    current?.scrollIntoView({ block: 'nearest' });
  }
}
