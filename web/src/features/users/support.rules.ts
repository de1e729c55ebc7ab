// What support reads of each state of a subscription: what happens next, what can be done, and what a grant would do to a payment that
// can still come. A state without a line does not compile.
import { supportText } from '../../messages/users.ts';
import type { SubscriptionState } from '../../lib/subscription.rules.ts';

type SupportKey = keyof typeof supportText.entries;
type Row = { next: SupportKey | null; advice: SupportKey | null; warning: SupportKey | null };

const NOTHING: Row = { next: null, advice: null, warning: null };

export const SUPPORT: Record<SubscriptionState, Row> = {
  free: NOTHING,
  active: NOTHING,
  active_until: { ...NOTHING, next: 'renewsUntil' },
  ending: { ...NOTHING, next: 'ends' },
  renewing: { ...NOTHING, next: 'collecting' },
  granted: { ...NOTHING, next: 'granted' },

  past_due_free: { next: 'past_due_free', advice: 'pay', warning: 'open_warning' },
  past_due_ending: { next: 'past_due_ending', advice: 'pay', warning: 'open_warning' },
  past_due_paid: { next: 'past_due_paid', advice: 'pay', warning: null },
  past_due_granted: { next: 'past_due_granted', advice: 'pay', warning: null },

  authentication_free: { next: 'authentication_free', advice: 'confirm', warning: 'open_warning' },
  authentication_ending: { next: 'authentication_ending', advice: 'confirm', warning: 'open_warning' },
  authentication_paid: { next: 'authentication_paid', advice: 'confirm', warning: null },
  authentication_granted: { next: 'authentication_granted', advice: 'confirm', warning: null },

  processing_free: { next: 'processing_free', advice: 'wait', warning: 'processing_warning' },
  processing_paid: { next: 'processing_paid', advice: 'wait', warning: null },
  processing_granted: { next: 'processing_granted', advice: 'wait', warning: null },

  incomplete_free: { next: 'incomplete_free', advice: 'retry', warning: null },

  paused_free: { next: 'paused_free', advice: 'resume', warning: 'paused_warning' },
  paused_paid: { next: 'paused_premium', advice: 'resume', warning: null },
  paused_granted: { next: 'paused_premium', advice: 'resume', warning: null },
  paused_until_free: { next: 'paused_until_free', advice: 'resume', warning: 'paused_warning' },
  paused_until_paid: { next: 'paused_until_premium', advice: 'resume', warning: null },
  paused_until_granted: { next: 'paused_until_premium', advice: 'resume', warning: null },

  disputed_free: { next: 'disputed_free', advice: 'answer', warning: null },
  disputed_paid: { next: 'disputed_premium', advice: 'answer', warning: null },
  disputed_granted: { next: 'disputed_premium', advice: 'answer', warning: null },

  other_subscription_free: { next: 'other_subscription_free', advice: 'compare', warning: 'other_warning' },
  other_subscription_paid: { next: 'other_subscription_premium', advice: 'compare', warning: null },
  other_subscription_granted: { next: 'other_subscription_premium', advice: 'compare', warning: null },
};

/** A text of a state, with the end of premium and of a pause. */
export const supportLine = (key: SupportKey, day: string, resumes = ''): string =>
  supportText(key, { day, resumes, text: '', time: '' });
