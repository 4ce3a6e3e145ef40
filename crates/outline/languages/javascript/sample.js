#!/usr/bin/env node
// A page of JavaScript with one of each thing that can be declared.
'use strict';

import fs, { readFile } from 'node:fs';

const { join } = require('node:path');

/** How many there may be. */
export const MOST = 12;

let count = 0, limit = 3;

var words = [
  'one',
  'two',
];

/**
 * Measures a text.
 */
export const measure = (text) => {
  const size = text.length;
  return size;
};

const double = (number) => number * 2;

const later = async function later(
  call,
  wait,
) {
  setTimeout(() => {
    call();
  }, wait);
};

export function run(names) {
  function inner(name) {
    return name.trim();
  }
  const local = 1;
  const helper = () => {
    return inner('a');
  };
  for (const name of names) {
    if (name === '') {
      continue;
    } else if (name.length > MOST) {
      break;
    }
    switch (name) {
      case 'one':
        count += 1;
        break;
      default:
        count -= 1;
    }
  }
  return helper();
}

export async function* numbers()
{
  let number = 0;
  while (number < limit) {
    yield number++;
  }
}

function empty() {}

/** A shelf with boxes. */
export class Shelf extends Map {
  static made = 0;
  #taken = 0;
  handler = (event) => {
    this.#taken += 1;
  };

  static {
    Shelf.made = 1;
  }

  constructor(name) {
    super();
    this.name = name;
  }

  /** How full it is. */
  get size() {
    return this.#taken;
  }

  set size(value) { this.#taken = value; }

  static of(...names) {
    return names.map((name) => new Shelf(name));
  }

  async *drain() {
    try {
      yield* this.values();
    } catch (error) {
      console.error(error);
    } finally {
      this.clear();
    }
  }

  ['computed' + 1]() {}
  'quoted name'() {}
}

@decorated
class Marked {
  @bound
  click() {
    return 1;
  }
}

const Loud = class extends Shelf {
  shout() { return this.name; }
};

const api = {
  version: 1,
  get(path) {
    return path;
  },
  post: function (path, body) {
    return body;
  },
  nested: {
    put: (path) => path,
  },
};

Shelf.prototype.take = function (name) {
  return this.get(name);
};

module.exports.tell = function tell() {
  return 'told';
};

exports.twice = (value) => [value, value];

module.exports = {
  run,
  later() {
    return later;
  },
};

describe('a shelf', () => {
  it('is empty', () => {
    const shelf = new Shelf('a');
    expect(shelf.size).toBe(0);
  });
});

(function () {
  function hidden() {
    return 1;
  }
  hidden();
})();

const View = ({ items }) => (
  <ul>
    {items.map((item) => (
      <li key={item}>
        {item}
      </li>
    ))}
  </ul>
);

export default function () {
  return View;
}
