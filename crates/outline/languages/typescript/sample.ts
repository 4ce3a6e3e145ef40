// A page of TypeScript with one of each thing that can be declared.
import { Component, Input } from 'framework';
import type { Box } from './box';

/** How many there may be. */
export const MOST: number = 12;

export type Name = string | symbol;

export type Options<T> = {
  name: string;
  /** What is done at the end. */
  done?: (value: T) => void;
  retry(times: number): boolean;
};

type Told =
  | 'yes'
  | 'no';

/**
 * Something that can be told.
 */
export interface Teller<T = string> extends Iterable<T> {
  readonly word: T;
  times?: number;
  options: {
    loud: boolean;
  };
  /** Tells it. */
  tell(loud: boolean): T;
  (text: string): void;
  new (text: string): Teller;
  [key: string]: unknown;
}

export enum Side {
  Left = 'left',
  Right = 'right',
}

declare const enum Level { Low, High }

export function parse(text: string): number;
export function parse(text: string, radix: number): number;
export function parse(text: string, radix = 10): number {
  return Number.parseInt(text, radix);
}

export const measure = <T extends Name>(
  text: T,
): number => {
  return String(text).length;
};

/** A shelf with boxes. */
@Component({
  selector: 'shelf',
})
export class Shelf<T extends object> extends Map<string, T> implements Teller {
  private static made = 0;
  readonly word: string = 'shelf';
  @Input() label!: string;

  declare times: number;

  handler = async (event: Event): Promise<void> => {
    await this.take(event.type);
  };

  constructor(
    private readonly name: string,
    protected limit: number = MOST,
  ) {
    super();
  }

  get taken(): number { return this.limit; }

  set taken(value: number) {
    this.limit = value;
  }

  /** Takes a box. */
  @HostListener('click', ['$event'])
  @Bound
  public async take(name: string): Promise<T | undefined> {
    if (!this.has(name)) {
      return undefined;
    } else {
      this.limit -= 1;
    }
    for (let at = 0; at < this.limit; at++) {
      do {
        at += 1;
      } while (at < 3);
    }
    return this.get(name);
  }

  tell(loud: string): string;
  tell(loud: boolean): string;
  tell(loud: unknown): string {
    return String(loud);
  }

  static #hidden<U>(this: U): void {}
}

export abstract class Base
{
  protected abstract word: string;

  abstract tell(loud: boolean): string;

  protected twice(): string
  {
    return this.tell(true) + this.tell(false);
  }
}

export namespace Tools {
  export const version = 1;

  export function make(): Base | undefined {
    const local = 2;
    return undefined;
  }

  export namespace Deep.Inner {
    interface Low {
      down: number;
    }
  }
}

declare module 'other' {
  export function load(name: string): Box;
  const loaded: boolean;
}

declare global {
  interface Window {
    shelf: Shelf<object>;
  }
}

declare function outside(name: string): void;

const routes = {
  home: () => '/',
  async load(name: string) {
    return import(name);
  },
} satisfies Record<string, unknown>;

export default class {
  run(): void {}
}
