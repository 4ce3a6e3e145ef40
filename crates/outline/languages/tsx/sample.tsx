// A page of TypeScript with elements in it.
import React, { useState } from 'react';

export interface Props {
  title: string;
  items: string[];
  onPick?: (item: string) => void;
}

type State = { picked: string | null };

/** How many are shown. */
const MOST = 12;

/**
 * A list with a title.
 */
export const List: React.FC<Props> = ({ title, items, onPick }) => {
  const [picked, setPicked] = useState<string | null>(null);

  const pick = (item: string) => {
    setPicked(item);
    onPick?.(item);
  };

  if (items.length === 0) {
    return null;
  }

  return (
    <section>
      <h1>{title}</h1>
      <ul>
        {items.slice(0, MOST).map((item) => (
          <li
            key={item}
            onClick={() => {
              pick(item);
            }}
          >
            {item}
          </li>
        ))}
      </ul>
      <Image
        source={picked}
        alt=""
      />
    </section>
  );
};

export function Frame({ children }: { children: React.ReactNode }) {
  return <div className="frame">{children}</div>;
}

export class Counter extends React.Component<Props, State> {
  state: State = { picked: null };

  handle = () => {
    this.setState({ picked: 'one' });
  };

  componentDidMount(): void {
    this.handle();
  }

  render() {
    return (
      <button onClick={this.handle}>
        {this.state.picked}
      </button>
    );
  }
}

export const Memo = React.memo(function Inner({ title }: Props) {
  return <b>{title}</b>;
});

export default Frame;
