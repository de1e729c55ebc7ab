import Joi from 'joi';

/** Where deliveries go and how they fail: dropped (always or with a probability), duplicated, reordered, delayed. */
export type WebhookBehaviour = {
  /** Null when only endpoints created through the API receive events. */
  url: string | null;
  drop: boolean | number;
  duplicate: number;
  shuffle: boolean;
  delayMs: number;
};

export const DEFAULT_BEHAVIOUR = { drop: false, duplicate: 0, shuffle: false, delayMs: 0 };

export const behaviourSchema = Joi.object<Partial<WebhookBehaviour>>({
  url: Joi.string().uri({ scheme: ['http', 'https'] }),
  drop: Joi.alternatives(Joi.boolean(), Joi.number().min(0).max(1)),
  duplicate: Joi.number().integer().min(0).max(1000),
  shuffle: Joi.boolean(),
  delayMs: Joi.number().integer().min(0).max(3_600_000),
});

export const isDropped = (behaviour: WebhookBehaviour, random: () => number): boolean =>
  typeof behaviour.drop === 'number' ? random() < behaviour.drop : behaviour.drop;
