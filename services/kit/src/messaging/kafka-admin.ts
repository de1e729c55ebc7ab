import type { Admin, Kafka } from 'kafkajs';

/** A connection of its own for each use: one that was closed and opened again may fail by the end of its old socket. */
export const withAdmin = async <T>(kafka: Kafka, work: (admin: Admin) => Promise<T>): Promise<T> => {
  const admin = kafka.admin();
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.disconnect();
  }
};
