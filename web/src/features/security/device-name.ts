import { twoStepDevices } from '../../messages/two-step.ts';

type Kind = keyof typeof MARKS;

/** The first match counts: iPads and Android phones name other systems too. */
const MARKS = {
  iphone: /iPhone/,
  ipad: /iPad/,
  android: /Android/,
  mac: /Macintosh/,
  windows: /Windows/,
  chromebook: /CrOS/,
  linux: /Linux/,
} as const;

/** The name of a new passkey, until the user renames it: the kind of this device. */
export const deviceName = (userAgent = navigator.userAgent): string => {
  const kinds = Object.keys(MARKS) as Kind[];
  return twoStepDevices(kinds.find((kind) => MARKS[kind].test(userAgent)) ?? 'other');
};
