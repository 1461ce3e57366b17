/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/**
 * @file
 * What this implementation of the framework offers (FF-M 1.1, "psa/framework_feature.h"), as
 * constants for the preprocessor.
 */
#ifndef PSA_FRAMEWORK_FEATURE_H
#define PSA_FRAMEWORK_FEATURE_H

/**
 * Isolation level of the system that the code is compiled for: 1, 2 or 3. A property of the
 * image: psa_add_image() (CMake) defines it for the partitions of an image and for what links
 * the image. Code built without an image sees level 1.
 */
#ifndef PSA_FRAMEWORK_ISOLATION_LEVEL
#define PSA_FRAMEWORK_ISOLATION_LEVEL 1
#endif

/** 1: psa_map_invec() and its kin exist. A service takes part when its manifest says so. */
#define PSA_FRAMEWORK_HAS_MM_IOVEC 1

/** 1: psa_ccc() exists. Not part of FF-M 1.1; other implementations do not define this. */
#define PSA_FRAMEWORK_HAS_CCC 1

#endif /* PSA_FRAMEWORK_FEATURE_H */
