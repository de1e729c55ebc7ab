import type { ReactNode } from 'react';
import type { Choice, SidebarType } from '../../lib/state/layout.ts';

type Fill = 'page' | 'line' | 'ink' | 'accent' | 'soft' | 'dark' | 'light' | 'none';
type BoxProps = {
  at: readonly [x: number, y: number];
  size: readonly [number, number];
  fill: Fill;
  round?: number;
};

const Box = ({ at: [x, y], size: [width, height], fill, round = 0 }: BoxProps): ReactNode => (
  <rect className={`is-${fill}`} x={x} y={y} width={width} height={height} rx={round} />
);

/** A miniature page of 48 by 30 units. */
const Thumbnail = ({ children }: { children: ReactNode }): ReactNode => (
  <svg className="layout-thumbnail" viewBox="0 0 48 30" aria-hidden="true">
    <Box at={[0, 0]} size={[48, 30]} fill="page" />
    {children}
  </svg>
);

const Text = ({ x, top }: { x: number; top: number }): ReactNode => (
  <>
    <Box at={[x, top]} size={[44 - x, 2]} fill="line" />
    <Box at={[x, top + 6]} size={[44 - x, 2]} fill="line" />
    <Box at={[x, top + 12]} size={[(44 - x) * 0.65, 2]} fill="line" />
  </>
);

const Entries = ({ x, width, fill }: { x: number; width: number; fill: Fill }): ReactNode => (
  <>
    {[7, 13, 19].map((y) => (
      <Box key={y} at={[x, y]} size={[width, 1.5]} fill={fill} />
    ))}
  </>
);

const SIDES: Record<Choice<'sidebarColor'>, { side: Fill; entries: Fill }> = {
  default: { side: 'line', entries: 'ink' },
  dark: { side: 'dark', entries: 'light' },
  color: { side: 'accent', entries: 'light' },
  transparent: { side: 'none', entries: 'ink' },
};

export const sidebarColorPicture = (value: Choice<'sidebarColor'>): ReactNode => (
  <Thumbnail>
    <Box at={[0, 0]} size={[15, 30]} fill={SIDES[value].side} />
    <Entries x={3} width={8} fill={SIDES[value].entries} />
    <Text x={20} top={8} />
  </Thumbnail>
);

const TYPES: Record<SidebarType, ReactNode> = {
  mini: (
    <>
      <Box at={[0, 0]} size={[7, 30]} fill="line" />
      <Entries x={2.5} width={2} fill="ink" />
      <Text x={12} top={8} />
    </>
  ),
  hover: (
    <>
      <Text x={20} top={8} />
      <Box at={[0, 0]} size={[16, 30]} fill="soft" />
      <Box at={[0, 0]} size={[7, 30]} fill="line" />
      <Entries x={2.5} width={2} fill="ink" />
    </>
  ),
  boxed: (
    <>
      <Box at={[3, 3]} size={[14, 24]} fill="line" round={2} />
      <Entries x={6} width={8} fill="ink" />
      <Text x={21} top={8} />
    </>
  ),
};

export const sidebarTypePicture = (value: SidebarType): ReactNode => <Thumbnail>{TYPES[value]}</Thumbnail>;

const isPill = (value: Choice<'sidebarActive'>): boolean => value.startsWith('pill');
const isAtEdge = (value: Choice<'sidebarActive'>): boolean => value.endsWith('one-side');

export const sidebarActivePicture = (value: Choice<'sidebarActive'>): ReactNode => (
  <Thumbnail>
    <Box at={[0, 0]} size={[27, 30]} fill="line" />
    <Box
      at={[isAtEdge(value) ? 0 : 3, 11]}
      size={[isAtEdge(value) ? 24 : 21, 8]}
      fill="soft"
      round={isPill(value) ? 4 : 2}
    />
    {isAtEdge(value) && <Box at={[0, 11]} size={[4, 8]} fill="soft" />}
    {isAtEdge(value) && <Box at={[0, 11]} size={[2, 8]} fill="accent" />}
    <Box at={[7, 5.5]} size={[12, 1.5]} fill="ink" />
    <Box at={[7, 14.25]} size={[12, 1.5]} fill="accent" />
    <Box at={[7, 23]} size={[12, 1.5]} fill="ink" />
  </Thumbnail>
);

const BARS: Record<Choice<'navbar'>, Fill> = {
  glass: 'soft',
  color: 'accent',
  sticky: 'line',
  transparent: 'none',
  default: 'line',
};

export const navbarPicture = (value: Choice<'navbar'>): ReactNode => (
  <Thumbnail>
    <Box at={[0, 0]} size={[48, 7]} fill={BARS[value]} />
    {value === 'sticky' && <Box at={[0, 7]} size={[48, 1.25]} fill="ink" />}
    <Text x={6} top={12} />
  </Thumbnail>
);
