//! The newest entries of a stream that has no end, up to twice `limit` in weight.
use std::{collections::HashMap, sync::Arc};

/// Entries by key, in two generations: the removal of the oldest entry alone would need an age for each entry.
#[derive(Debug)]
pub(crate) struct GenerationalCache<V> {
    limit: usize,
    young: HashMap<Arc<str>, V>,
    old: HashMap<Arc<str>, V>,
    weight: usize,
}

impl<V> GenerationalCache<V> {
    pub(crate) fn new(limit: usize) -> Self {
        Self { limit, young: HashMap::new(), old: HashMap::new(), weight: 0 }
    }

    pub(crate) fn add(&mut self, key: Arc<str>, value: V, weight: usize) {
        self.young.insert(key, value);
        self.weight += weight;
        if self.weight >= self.limit {
            self.old = std::mem::take(&mut self.young);
            self.weight = 0;
        }
    }

    pub(crate) fn get(&self, key: &str) -> Option<&V> {
        self.young.get(key).or_else(|| self.old.get(key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_entries_are_removed() {
        let mut cache = GenerationalCache::new(2);
        for key in ["a", "b", "c", "d"] {
            cache.add(key.into(), key, 1);
        }
        assert_eq!(["a", "b", "c", "d"].map(|key| cache.get(key).is_some()), [false, false, true, true]);
    }
}
