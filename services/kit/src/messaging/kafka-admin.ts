import type { Admin, Kafka } from 'kafkajs';

/** Runs `work` with an admin client of its own: one that is reopened can fail when its old socket closes. */
export const withAdmin = async <T>(kafka: Kafka, work: (admin: Admin) => Promise<T>): Promise<T> => {
  const admin = kafka.admin();
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.disconnect();
  }
};
