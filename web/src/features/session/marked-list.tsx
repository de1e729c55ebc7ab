import type { ReactNode } from 'react';
import { sampleCandidates, sessionText } from '../../messages/session.ts';

/** The positions of the marked lines. */
const MARKED = [1, 4, 5];

/** An illustration of the product, hidden from screen readers. */
export const MarkedList = (): ReactNode => (
  <div className="marked-list" aria-hidden="true">
    <ol>
      {Object.entries(sampleCandidates.entries).map(([name, city], index) => (
        <li key={name} className={MARKED.includes(index) ? 'is-marked' : undefined}>
          <span>{name}</span>
          <span>{city}</span>
        </li>
      ))}
    </ol>
    <p>{sessionText('pitch')}</p>
  </div>
);
