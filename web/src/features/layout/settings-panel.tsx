import X from 'lucide-react/icons/x';
import { useId, type ReactNode } from 'react';
import { useAppDispatch, useAppSelector } from '../../lib/state/hooks.ts';
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
import { Button, IconButton } from '../../ui/button.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { SideSheet } from '../../ui/side-sheet.tsx';

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
    dispatch(layout.chosen(part));
  };
  return { settings, change };
};

type RowProps<S extends Setting> = { setting: S; label: string; columns: number };

const SettingRow = <S extends Setting>({ setting, label, columns }: RowProps<S>): ReactNode => {
  const { settings, change } = useLayout();
  return (
    <Segmented<Choice<Setting>>
      label={label}
      columns={columns}
      choices={CHOICES[setting]}
      isPressed={(value) => settings[setting] === value}
      onPress={(value) => change({ [setting]: value })}
    />
  );
};

const Colors = (): ReactNode => {
  const { settings, change } = useLayout();
  const id = useId();
  return (
    <div>
      <span className="label" id={id}>
        Color Customizer
      </span>
      <div className="dots" role="group" aria-labelledby={id}>
        {CHOICES.accent.map(([value, words]) => (
          <button
            key={value}
            type="button"
            aria-label={words}
            title={words}
            aria-pressed={settings.accent === value}
            style={{ background: SWATCHES[value] }}
            onClick={() => change({ accent: value })}
          />
        ))}
      </div>
    </div>
  );
};

/** A narrow sidebar either stays narrow or opens; a box may be around any. */
const EXCLUDES: Partial<Record<SidebarType, SidebarType>> = { mini: 'hover', hover: 'mini' };

const SidebarTypes = (): ReactNode => {
  const { settings, change } = useLayout();
  const { sidebarTypes } = settings;
  const toggle = (type: SidebarType): void => {
    const others = sidebarTypes.filter((other) => other !== type && other !== EXCLUDES[type]);
    change({ sidebarTypes: sidebarTypes.includes(type) ? others : [...others, type] });
  };
  return (
    <Segmented
      label="Sidebar Types"
      columns={3}
      choices={SIDEBAR_TYPES}
      isPressed={(type) => sidebarTypes.includes(type)}
      onPress={toggle}
    />
  );
};

export const SettingsPanel = ({ onClose }: { onClose: () => void }): ReactNode => {
  const { change } = useLayout();
  return (
    <SideSheet kind="off" label="Settings" onClose={onClose}>
      <div className="stack stack-l">
        <div className="off-head">
          <h2>Settings</h2>
          <IconButton isSmall label="Close" icon={<X size={16} aria-hidden="true" />} onClick={onClose} />
        </div>
        <SettingRow setting="scheme" label="Scheme" columns={3} />
        <Colors />
        <SettingRow setting="direction" label="Scheme Direction" columns={2} />
        <SettingRow setting="sidebarColor" label="Sidebar Color" columns={2} />
        <SidebarTypes />
        <SettingRow setting="sidebarActive" label="Sidebar Active Style" columns={2} />
        <SettingRow setting="navbar" label="Navbar Style" columns={2} />
        <Button look="quiet" onClick={() => change(DEFAULT_LAYOUT)}>
          Back to defaults
        </Button>
      </div>
    </SideSheet>
  );
};
