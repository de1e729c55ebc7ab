import type { ReactNode } from 'react';

type LinesProps = { children: ReactNode };

/** A list of ruled lines inside a panel, each with a title, a note, and what can be done at the end. */
export const Lines = ({ children }: LinesProps): ReactNode => <ul className="lines">{children}</ul>;

type LineProps = {
  title: ReactNode;
  note?: ReactNode;
  /** Only where the lines are of different kinds. */
  icon?: ReactNode;
  /** The line that is the user's own, present or in force. At most one of a list. */
  isMarked?: boolean;
  /** Buttons at the end of the line. */
  children?: ReactNode;
};

export const Line = ({ title, note, icon, isMarked = false, children }: LineProps): ReactNode => (
  <li className={isMarked ? 'is-marked' : undefined}>
    {icon}
    <div className="line-text">
      <p className="line-title">{title}</p>
      {note !== undefined && <p className="line-note">{note}</p>}
    </div>
    {children !== undefined && <div className="line-end">{children}</div>}
  </li>
);
