"""What people translated already: their files and pages, paired sentence by sentence."""
