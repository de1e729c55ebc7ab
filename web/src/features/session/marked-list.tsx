import type { ReactNode } from 'react';

type Line = { name: string; place: string; isMarked?: boolean };

const LINES: readonly Line[] = [
  { name: 'Nadia Haddad', place: 'Tunis' },
  { name: 'Tomasz Nowak', place: 'Gdynia', isMarked: true },
  { name: 'Grace Otieno', place: 'Kisumu' },
  { name: 'Elif Demir', place: 'Izmir' },
  { name: 'Joaquín Herrera', place: 'Valdivia', isMarked: true },
  { name: 'Ingrid Solheim', place: 'Bergen', isMarked: true },
  { name: 'Arjun Menon', place: 'Kochi' },
  { name: 'Clara Vasquez', place: 'Lisbon' },
];

/** What the product makes, as a picture: nothing in it is meant to be read out. */
export const MarkedList = (): ReactNode => (
  <div className="marked-list" aria-hidden="true">
    <ol>
      {LINES.map(({ name, place, isMarked = false }) => (
        <li key={name} className={isMarked ? 'is-marked' : undefined}>
          <span>{name}</span>
          <span>{place}</span>
        </li>
      ))}
    </ol>
    <p>Search wide, write to people one by one, and mark the few you want to meet.</p>
  </div>
);
