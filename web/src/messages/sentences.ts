import { messages } from '@shortlist/contracts/messages';

/** How a sentence follows another one. */
export const sentenceText = messages({ next: '{first}. {rest}' });
