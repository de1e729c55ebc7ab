import { sentenceText } from '../messages/sentences.ts';

/** Texts that follow one another as sentences, without those that are empty. */
export const sentences = (texts: readonly string[]): string =>
  texts
    .filter((text) => text !== '')
    .reduce((first, rest) => (first === '' ? rest : sentenceText('next', { first, rest })), '');
