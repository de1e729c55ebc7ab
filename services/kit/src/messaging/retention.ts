/** Days after which a published event is deleted: in the outbox, and on its topic. Some events name a person (decision 26). */
export const EVENT_DAYS = 7;
