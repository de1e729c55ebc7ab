import type { ReactNode } from 'react';

type Candidate = { name: string; city: string; isMarked?: boolean };

const CANDIDATES: readonly Candidate[] = [
  { name: 'Nadia Haddad', city: 'Tunis' },
  { name: 'Tomasz Nowak', city: 'Gdynia', isMarked: true },
  { name: 'Grace Otieno', city: 'Kisumu' },
  { name: 'Elif Demir', city: 'Izmir' },
  { name: 'Joaquín Herrera', city: 'Valdivia', isMarked: true },
  { name: 'Ingrid Solheim', city: 'Bergen', isMarked: true },
  { name: 'Arjun Menon', city: 'Kochi' },
  { name: 'Clara Vasquez', city: 'Lisbon' },
];

/** An illustration of the product, hidden from screen readers. */
export const MarkedList = (): ReactNode => (
  <div className="marked-list" aria-hidden="true">
    <ol>
      {CANDIDATES.map(({ name, city, isMarked = false }) => (
        <li key={name} className={isMarked ? 'is-marked' : undefined}>
          <span>{name}</span>
          <span>{city}</span>
        </li>
      ))}
    </ol>
    <p>Search wide, write to people one by one, and mark the few you want to meet.</p>
  </div>
);
