import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';

type TabsProps<Name extends string> = {
  label: string;
  tabs: readonly { name: Name; to: string; label: string }[];
  current: Name;
};

/** Links to the parts of one thing. */
export const Tabs = <Name extends string>({ label, tabs, current }: TabsProps<Name>): ReactNode => (
  <nav className="tabs" aria-label={label}>
    {tabs.map((tab) => (
      <Link key={tab.name} to={tab.to} aria-current={tab.name === current ? 'page' : undefined}>
        {tab.label}
      </Link>
    ))}
  </nav>
);
