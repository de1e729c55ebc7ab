import { useId, type ReactNode } from 'react';

type PanelProps = { title: string; note?: string; end?: ReactNode; isBare?: boolean; children: ReactNode };

/** A titled section. With `isBare` its content has no padding, as for a table. */
export const Panel = ({ title, note, end, isBare = false, children }: PanelProps): ReactNode => {
  const id = useId();
  return (
    <section className="panel" aria-labelledby={id}>
      <div className="head">
        {note === undefined ? (
          <h2 id={id}>{title}</h2>
        ) : (
          <div>
            <h2 id={id}>{title}</h2>
            <p className="small muted">{note}</p>
          </div>
        )}
        {end}
      </div>
      {isBare ? children : <div className="body">{children}</div>}
    </section>
  );
};
