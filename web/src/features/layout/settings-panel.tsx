import X from 'lucide-react/icons/x';
import type { ReactNode } from 'react';
import { useAppDispatch, useAppSelector } from '../../lib/state/hooks.tsx';
import {
  CHOICES,
  DEFAULT_LAYOUT,
  layout,
  SIDEBAR_TYPES,
  type Choice,
  type LayoutSettings,
  type Setting,
  type SidebarType,
} from '../../lib/state/layout.ts';
import { layoutText } from '../../messages/shell.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Choices } from '../../ui/choices.tsx';
import { SideSheet } from '../../ui/side-sheet.tsx';
import {
  navbarPicture,
  sidebarActivePicture,
  sidebarColorPicture,
  sidebarTypePicture,
} from './thumbnails.tsx';
import { ICON } from '../../ui/inline.tsx';

const SWATCHES: Record<Choice<'accent'>, string> = {
  default: 'hsl(164 62% 25%)',
  ink: 'hsl(221 58% 40%)',
  iris: 'hsl(257 44% 48%)',
  plum: 'hsl(322 44% 36%)',
  clay: 'hsl(17 60% 36%)',
  slate: 'hsl(212 20% 32%)',
};

const useLayout = () => {
  const settings = useAppSelector((state) => state.layout);
  const dispatch = useAppDispatch();
  const change = (part: Partial<LayoutSettings>): void => {
    dispatch(layout.changed(part));
  };
  return { settings, change };
};

type RowProps<S extends Setting> = {
  setting: S;
  label: string;
  columns: number;
  picture?: (value: Choice<S>) => ReactNode;
};

const SettingRow = <S extends Setting>({ setting, label, columns, picture }: RowProps<S>): ReactNode => {
  const { settings, change } = useLayout();
  return (
    <Choices<Choice<S>>
      label={label}
      columns={columns}
      choices={CHOICES[setting]}
      isChosen={(value) => settings[setting] === value}
      onChoose={(value) => change({ [setting]: value })}
      {...(picture ? { picture } : {})}
    />
  );
};

const dot = (value: Choice<'accent'>): ReactNode => (
  <i className="choice-dot" style={{ background: SWATCHES[value] }} aria-hidden="true" />
);

/** Mini and Hover exclude each other; Boxed goes with any. */
const EXCLUDES: Partial<Record<SidebarType, SidebarType>> = { mini: 'hover', hover: 'mini' };

const SidebarTypes = (): ReactNode => {
  const { settings, change } = useLayout();
  const { sidebarTypes } = settings;
  const toggle = (type: SidebarType): void => {
    const others = sidebarTypes.filter((other) => other !== type && other !== EXCLUDES[type]);
    change({ sidebarTypes: sidebarTypes.includes(type) ? others : [...others, type] });
  };
  return (
    <Choices
      label={layoutText('sidebarTypes')}
      columns={4}
      isMany
      choices={SIDEBAR_TYPES}
      isChosen={(type) => sidebarTypes.includes(type)}
      onChoose={toggle}
      picture={sidebarTypePicture}
    />
  );
};

export const SettingsPanel = ({ onClose }: { onClose: () => void }): ReactNode => {
  const { change } = useLayout();
  return (
    <SideSheet kind="settings" label={layoutText('title')} onClose={onClose}>
      <div className="stack stack-l">
        <div className="settings-head">
          <h2>{layoutText('title')}</h2>
          <IconButton isSmall label={layoutText('close')} icon={<X {...ICON} />} onClick={onClose} />
        </div>
        <SettingRow setting="scheme" label={layoutText('scheme')} columns={3} />
        <SettingRow setting="accent" label={layoutText('accent')} columns={3} picture={dot} />
        <SettingRow setting="direction" label={layoutText('direction')} columns={2} />
        <SettingRow
          setting="sidebarColor"
          label={layoutText('sidebarColor')}
          columns={4}
          picture={sidebarColorPicture}
        />
        <SidebarTypes />
        <SettingRow
          setting="sidebarActive"
          label={layoutText('sidebarActive')}
          columns={4}
          picture={sidebarActivePicture}
        />
        <SettingRow setting="navbar" label={layoutText('navbar')} columns={4} picture={navbarPicture} />
        <Button variant="quiet" onClick={() => change(DEFAULT_LAYOUT)}>
          {layoutText('defaults')}
        </Button>
      </div>
    </SideSheet>
  );
};
